/// An observer for something that cannot be observed. It fails when it is added.
package final class FailingObserver: StoreObserver {
  private let error: any Error
  private let tell: (any Error) -> Void

  package init(_ error: any Error, _ tell: @escaping (any Error) -> Void) {
    self.error = error
    self.tell = tell
  }

  override package func begin(in session: Session) throws { throw error }

  override package func fail(_ error: any Error) { tell(error) }
}
