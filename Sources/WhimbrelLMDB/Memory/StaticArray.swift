/// An array that never changes, read through views that count no references.
@safe
@usableFromInline
package final class StaticArray<Element: BitwiseCopyable & Sendable>: Sendable {
  @usableFromInline
  // Safe: written once, in the initializer, and freed with the array.
  nonisolated(unsafe) let base: UnsafeMutablePointer<Element>
  @usableFromInline let count: Int

  /// Makes a copy of an array.
  package init(_ elements: [Element]) {
    count = elements.count
    unsafe base = UnsafeMutablePointer.allocate(capacity: max(count, 1))
    for (index, element) in elements.enumerated() {
      unsafe (base + index).initialize(to: element)
    }
  }

  deinit {
    unsafe base.deallocate()
  }

  /// What elements are read through. It must not outlive the array.
  @inlinable package var view: View { unsafe View(base: base, count: count) }

  /// The elements of a static array.
  @safe
  @usableFromInline
  package struct View {
    @usableFromInline let base: UnsafePointer<Element>
    /// How many elements there are.
    @usableFromInline package let count: Int

    @inlinable
    init(base: UnsafePointer<Element>, count: Int) {
      unsafe self.base = unsafe base
      self.count = count
    }

    @inlinable
    @inline(__always)
    package subscript(index: Int) -> Element {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      // Safe: the line above.
      return unsafe base[index]
    }
  }
}

extension StaticArray.View where Element == UInt8 {
  /// The elements as bytes. They must not outlive the array.
  package var bytes: PageBytes { unsafe PageBytes(base: base, count: count) }
}

/// A number that changes, read through views that count no references.
@safe
@usableFromInline
package final class Counter {
  private let base: UnsafeMutablePointer<UInt64>

  /// Makes a counter that begins at 1.
  package init() {
    unsafe base = UnsafeMutablePointer.allocate(capacity: 1)
    unsafe base.initialize(to: 1)
  }

  deinit {
    unsafe base.deallocate()
  }

  /// The number.
  package var value: UInt64 {
    get { unsafe base.pointee }
    set { unsafe base.pointee = newValue }
  }

  /// What the number is read through. It must not outlive the counter.
  package var view: View { unsafe View(base: base) }

  /// What the number is made larger through. It must not outlive the counter.
  package var advancer: Advancer { unsafe Advancer(base: base) }

  /// A way to make the number of a counter larger.
  @safe
  package struct Advancer {
    private let base: UnsafeMutablePointer<UInt64>

    fileprivate init(base: UnsafeMutablePointer<UInt64>) {
      unsafe self.base = unsafe base
    }

    /// Makes the number larger by 1.
    package func advance() { unsafe base.pointee &+= 1 }
  }

  /// The number of a counter.
  @safe
  @usableFromInline
  package struct View {
    @usableFromInline let base: UnsafePointer<UInt64>

    init(base: UnsafePointer<UInt64>) {
      unsafe self.base = unsafe base
    }

    @inlinable
    @inline(__always)
    package var value: UInt64 { unsafe base.pointee }
  }
}
