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
