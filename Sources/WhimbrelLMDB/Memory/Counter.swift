/// A number that changes, read through views that count no references.
///
/// A thread can claim it: views then see a number that it never has, so that whoever compares
/// with it has to ask whether the claim is its own.
@safe
@usableFromInline
package final class Counter {
  // The number that views see, the number itself, and the thread that has claimed it or 0.
  private let base: UnsafeMutablePointer<UInt64>

  /// Makes a counter that begins at 1.
  package init() {
    unsafe base = UnsafeMutablePointer.allocate(capacity: 3)
    unsafe base.initialize(repeating: 1, count: 2)
    unsafe (base + 2).initialize(to: 0)
  }

  deinit {
    unsafe base.deallocate()
  }

  /// The number.
  package var value: UInt64 {
    get { unsafe base[1] }
    set {
      unsafe base[1] = newValue
      if claimant == 0 { unsafe base.pointee = newValue }
    }
  }

  /// The thread that has claimed the number, or 0. The default is 0.
  package var claimant: UInt {
    get { unsafe UInt(base[2]) }
    set {
      unsafe base[2] = UInt64(newValue)
      unsafe base.pointee = newValue == 0 ? base[1] : .max
    }
  }

  /// What the number is read through. It must not outlive the counter.
  package var view: View { unsafe View(base: base) }

  /// What the number is made larger through. It must not outlive the counter.
  package var advancer: Advancer { unsafe Advancer(base: base) }

  /// A way to make the number of a counter larger that nobody claims.
  @safe
  package struct Advancer {
    private let base: UnsafeMutablePointer<UInt64>

    fileprivate init(base: UnsafeMutablePointer<UInt64>) {
      unsafe self.base = unsafe base
    }

    /// Makes the number larger by 1.
    package func advance() {
      unsafe base[1] &+= 1
      unsafe base.pointee = base[1]
    }
  }

  /// The number of a counter.
  @safe
  @usableFromInline
  package struct View {
    @usableFromInline let base: UnsafePointer<UInt64>

    init(base: UnsafePointer<UInt64>) {
      unsafe self.base = unsafe base
    }

    /// The number, unless it is claimed.
    @inlinable
    @inline(__always)
    package var value: UInt64 { unsafe base.pointee }

    /// Whether this is the number, and this thread has claimed it.
    package func isClaimed(at number: UInt64) -> Bool {
      unsafe base[1] == number && base[2] == UInt64(Environment.currentThread)
    }
  }
}
