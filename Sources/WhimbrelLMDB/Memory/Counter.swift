/// A mutable number that views read without counting references.
///
/// A thread can claim it. Views then see a value that the number never has, so a failed comparison
/// makes the reader ask whether the claim is its own.
// Safe: it owns its memory. One thread changes the number, and only that thread passes a claim.
@safe
@usableFromInline
package final class Counter {
  // The number that views see, the actual number, and the thread that has claimed it or 0.
  @usableFromInline let base: UnsafeMutablePointer<UInt64>

  /// Creates a counter with the value 1.
  package init() {
    unsafe base = UnsafeMutablePointer.allocate(capacity: 3)
    unsafe base.initialize(repeating: 1, count: 2)
    unsafe (base + 2).initialize(to: 0)
  }

  deinit {
    unsafe base.deallocate()
  }

  @inlinable
  package var value: UInt64 {
    @inline(__always) get { unsafe base[1] }
    @inline(__always) set {
      unsafe base[1] = newValue
      if unsafe base[2] == 0 { unsafe base.pointee = newValue }
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

  /// A view of the number. It must not outlive the counter.
  package var view: View { unsafe View(base: base) }

  /// An advancer of the number. It must not outlive the counter.
  package var advancer: Advancer { unsafe Advancer(base: base) }

  /// A handle that increments a counter without a claim.
  // Safe: its holder also keeps the session, which has the counter.
  @safe
  package struct Advancer {
    private let base: UnsafeMutablePointer<UInt64>

    fileprivate init(base: UnsafeMutablePointer<UInt64>) {
      unsafe self.base = unsafe base
    }

    package func advance() {
      unsafe base[1] &+= 1
      unsafe base.pointee = base[1]
    }
  }

  /// A view of a counter.
  // Safe: the holder of a view also keeps the session, which has the counter.
  @safe
  @usableFromInline
  package struct View {
    @usableFromInline let base: UnsafePointer<UInt64>

    init(base: UnsafePointer<UInt64>) {
      unsafe self.base = unsafe base
    }

    /// The number, or `UInt64.max` while it is claimed.
    @inlinable
    @inline(__always)
    package var value: UInt64 { unsafe base.pointee }

    /// Returns whether the actual number is this one and the current thread has claimed it.
    package func isClaimed(at number: UInt64) -> Bool {
      unsafe base[1] == number && base[2] == UInt64(Environment.currentThread)
    }
  }
}
