package import WhimbrelEngine

/// Opens a store of version 1 as an app does that declares version 2, with rules. No thread converts
/// objects.
package func openOnline(
  _ path: String, _ classes: [ClassSchema], _ rules: [ObjectRule] = []
) throws -> Session {
  var declaration = Declaration(StoreSchema(classes: classes))
  declaration.rules = RuleBook(rules)
  var request = OpenRequest(path: path)
  request.declaration = declaration
  request.schemaVersion = 2
  request.transition = TransitionOptions(startsPaused: true)
  return try Session(StoreFile.open(request), for: declaration)
}

/// A rule that sets nothing.
package final class EmptyRule: RuleBody {
  package init() {}

  package func run(_ id: ObjectID) {}
}
