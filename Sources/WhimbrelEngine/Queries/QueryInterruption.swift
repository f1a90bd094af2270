/// The error of a query that was interrupted.
package struct QueryInterrupted: Error {}

extension Session {
  /// Runs `body`, and interrupts its queries on request.
  ///
  /// - Parameter isInterrupted: A closure that returns whether to stop. It is called about every
  ///   hundred objects, and may be called on several threads at the same time.
  /// - Throws: ``QueryInterrupted``, or the error of `body`.
  package func interrupting<Result>(
    when isInterrupted: @escaping @Sendable () -> Bool, _ body: () throws -> Result
  ) throws -> Result {
    let outer = interruption
    interruption = isInterrupted
    defer { interruption = outer }
    return try body()
  }

  /// Throws ``QueryInterrupted`` if the running query should stop.
  func checkInterruption() throws {
    if let interruption, interruption() { throw QueryInterrupted() }
  }
}
