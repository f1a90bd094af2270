/// An error: a query was no longer wanted before it was answered.
package struct QueryInterrupted: Error {}

extension Session {
  /// Runs `body`, whose queries stop when nobody wants them any more.
  ///
  /// - Parameter isInterrupted: returns whether to stop. It is called about every hundred objects,
  ///   also on other threads at the same time.
  /// - Throws: ``QueryInterrupted``, or the error of `body`.
  package func interrupting<Result>(
    when isInterrupted: @escaping @Sendable () -> Bool, _ body: () throws -> Result
  ) throws -> Result {
    let outer = interruption
    interruption = isInterrupted
    defer { interruption = outer }
    return try body()
  }

  /// Stops a query that nobody wants any more.
  func checkInterruption() throws {
    if let interruption, interruption() { throw QueryInterrupted() }
  }
}
