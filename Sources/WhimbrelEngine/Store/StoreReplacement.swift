/// Puts a new store in the place of one, which stays as it was until the new one is whole.
package struct StoreReplacement {
  private let path: String
  private let session: Session

  /// - Parameter session: what the new store is made of; if the file has been written since,
  ///   it is not replaced.
  package init(of path: String, asSeenBy session: Session) {
    self.path = path
    self.session = session
  }

  /// Makes the new store beside the old one, checks it, and replaces the old one.
  package func run<Result>(_ body: (_ path: String) throws -> Result) throws -> Result {
    throw StoreError.readOnlyStore(verb: "replace")  // Being written; the API stays.
  }
}
