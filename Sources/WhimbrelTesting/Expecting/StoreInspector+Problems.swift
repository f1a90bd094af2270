internal import WhimbrelEngine
internal import WhimbrelInspection

extension StoreInspector {
  /// What does not agree in the store, a sentence each.
  func integrityProblems() throws -> [String] {
    try IntegrityCheck.run(session).map { "\($0)." }
  }
}
