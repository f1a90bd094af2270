/// An immutable array that views read without counting references.
// Safe: it owns its memory, and nothing changes after the initializer.
@safe
@usableFromInline
package final class StaticArray<Element: BitwiseCopyable & Sendable>: Sendable {
  @usableFromInline
  // Safe: written once, in the initialiser, and freed with the array.
  nonisolated(unsafe) let base: UnsafeMutablePointer<Element>
  @usableFromInline let count: Int

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

  /// A view of the elements. It must not outlive the array.
  @inlinable package var view: View { unsafe View(base: base, count: count) }

  /// A view of a static array.
  // Safe: a layout or class that gives out a view keeps the array, and indices are checked.
  @safe
  @usableFromInline
  package struct View {
    @usableFromInline let base: UnsafePointer<Element>
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
      // Safe: the precondition checks the index.
      return unsafe base[index]
    }
  }
}

extension StaticArray.View where Element == UInt8 {
  /// The elements as bytes. They must not outlive the array.
  package var bytes: PageBytes { unsafe PageBytes(base: base, count: count) }
}
