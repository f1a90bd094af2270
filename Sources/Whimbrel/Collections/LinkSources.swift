internal import WhimbrelEngine

/// The part of ``LinkingObjects`` that does not depend on the model.
final class LinkSources {
  let target: ModelRow
  let source: String
  let property: String
  private var found: [ObjectID] = []
  /// Whether damage kept the objects from being found.
  private var isUnreadable = false
  private var age = AnswerAge()

  init(_ target: ModelRow, _ source: String, _ property: String) {
    self.target = target
    self.source = source
    self.property = property
  }

  /// The step from an object to the objects that link to it.
  var step: QueryPath.Step { .inverse(class: source, property: property) }

  var ids: [ObjectID] {
    guard let session = target.session else { return [] }
    noteRead(session)
    if age.isCurrent(in: session) { return found }
    found =
      read(in: session) { try $0.table.sourceIDs($0.position, linkingTo: $0.id, of: $0.own) } ?? []
    age.begin(in: session) {
      guard !isUnreadable, let link = try link(in: session) else { return nil }
      return try session.stamp(ofLinksTo: link.own, by: link.position, of: link.table)
    }
    return found
  }

  /// The row of the first object, or nil.
  var first: ModelRow? {
    guard let session = target.session else { return nil }
    noteRead(session)
    let first =
      age.isCurrent(in: session)
      ? found.first
      : read(in: session) {
        try $0.table.firstSource($0.position, linkingTo: $0.id, of: $0.own)
      }.flatMap(\.self)
    return first.map(elementTarget)
  }

  /// Notes that the objects are read, if the store tracks that.
  private func noteRead(_ session: Session) {
    guard let tracker = session.readTracker, let own = target.table,
      let table = session.find(source),
      let position = try? table.resolved.requiredPosition(of: property)
    else { return }
    tracker.noteLinks(to: target.id, own, by: position, of: table)
  }

  /// The link, and the object that it leads to.
  private struct Link {
    let table: ClassTable
    let position: Int
    let own: ClassTable
    let id: ObjectID
  }

  /// Returns the link, or nil if one of the classes has gone from the file.
  private func link(in session: Session) throws -> Link? {
    guard let table = session.find(source), let known = target.table,
      let own = session.current(known)
    else { return nil }
    return Link(
      table: table, position: try table.resolved.requiredPosition(of: property), own: own,
      id: target.id)
  }

  /// Calls `body` with the link. Returns nil if a class has gone, and if the link cannot be read.
  private func read<Result>(in session: Session, _ body: (Link) throws -> Result) -> Result? {
    if session.isClosed { target.stop(session.closedError) }
    isUnreadable = false
    do {
      guard let link = try link(in: session) else { return nil }
      guard try link.own.contains(target.id) else {
        target.stop(link.own.resolved.deleted(target.id))
      }
      return try body(link)
    } catch {
      session.note(error)
      isUnreadable = true
      return nil
    }
  }

  /// Returns the row of the object at an index. An index out of range stops the program. An object
  /// that cannot be read is empty, and the error is noted.
  func row(at position: Int) -> ModelRow {
    let ids = ids
    if isUnreadable { return elementTarget(nil) }
    requirePosition(position)
    return elementTarget(ids[position])
  }

  private func elementTarget(_ id: ObjectID?) -> ModelRow {
    target.session?.find(source).map { target.elementTarget(id, in: $0) } ?? ModelRow()
  }

  /// Stops the program if an index is out of range, which is a programming error. Does nothing if
  /// the objects could not be found.
  func requirePosition(_ position: Int, orEnd allowsEnd: Bool = false) {
    let count = ids.count
    if isUnreadable || (0..<count).contains(position) || allowsEnd && position == count { return }
    stopProgram(
      """
      Could not use element \(position) of the objects that link by '\(source).\(property)': \
      there are \(count). Indices start at 0 and end before the count.
      """)
  }

  /// Returns the row of an object, or nil if it was deleted.
  func row(of id: ObjectID) -> ModelRow? {
    target.session?.find(source).flatMap { target.target(id, in: $0) }
  }
}
