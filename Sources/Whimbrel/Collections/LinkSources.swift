internal import WhimbrelEngine

/// The part of ``LinkingObjects`` that does not depend on the model.
final class LinkSources {
  let target: ModelRow
  let source: String
  let property: String
  private var found: [ObjectID] = []
  /// Whether damage kept the objects from being found.
  private var isUnreadable = false
  private var epoch: UInt64 = 0

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
    if epoch == session.epoch { return found }
    found = find(in: session)
    epoch = session.epoch
    return found
  }

  /// Notes that the objects are read, if the store tracks that.
  private func noteRead(_ session: Session) {
    guard let tracker = session.readTracker, let own = target.table,
      let table = session.find(source),
      let position = try? table.resolved.requiredPosition(of: property)
    else { return }
    tracker.noteLinks(to: target.id, own, by: position, of: table)
  }

  private func find(in session: Session) -> [ObjectID] {
    if session.isClosed { target.stop(session.closedError) }
    isUnreadable = false
    guard let table = session.find(source), let known = target.table,
      let own = session.current(known)
    else { return [] }
    do {
      guard try own.contains(target.id) else {
        target.stop(own.resolved.deleted(target.id))
      }
      let position = try table.resolved.requiredPosition(of: property)
      return try table.sources(position, linkingTo: target.id, of: own.resolved.id).map(\.id)
    } catch {
      session.note(error)
      isUnreadable = true
      return []
    }
  }

  /// Returns the row of the object at an index. An index out of range stops the program. An object
  /// that cannot be read is empty, and the error is noted.
  func row(at position: Int) -> ModelRow {
    let ids = ids
    if isUnreadable { return target.elementTarget(of: .null, in: source) }
    requirePosition(position)
    return target.elementTarget(of: .link(ids[position]), in: source)
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
    target.target(of: .link(id), in: source)
  }
}
