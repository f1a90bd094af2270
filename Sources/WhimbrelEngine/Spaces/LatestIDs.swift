/// The objects that a class table found last, for code that asks for the same again and again:
/// `store.objects(Zone.self)[row]`, `country.zones[row]`.
final class LatestIDs {
  /// The objects that were asked for.
  enum Question: Equatable {
    case all
    case links(by: Int, to: ObjectID, of: ClassID)
  }

  /// The most objects that are kept: 1 MB of IDs.
  private static let limit = 1 << 17

  private var question: Question?
  private var ids: [ObjectID] = []
  private var age = AnswerAge()

  /// Returns the objects that were found last, if they are those that would be found now. Otherwise
  /// finds them, and keeps them unless there are many.
  ///
  /// - Parameter makeStamp: As for ``AnswerAge/begin(in:_:)``.
  func ids(
    for question: Question, in session: Session, stamp makeStamp: () throws -> ContentStamp?,
    find: () throws -> [ObjectID]
  ) throws -> [ObjectID] {
    if self.question == question, age.isCurrent(in: session) { return ids }
    let found = try find()
    if found.count > Self.limit {
      (self.question, ids) = (nil, [])
      return found
    }
    if self.question != question { age = AnswerAge() }
    (self.question, ids) = (question, found)
    age.begin(in: session, makeStamp)
    return found
  }
}

extension ClassTable {
  /// Returns the IDs of all objects, in order.
  ///
  /// - Complexity: O(*n*). O(1) if nothing was added or removed since the last call, for fewer than
  ///   131,072 objects.
  package func allObjectIDs() throws -> [ObjectID] {
    if isOfMigration { return try objectIDs() }
    let session = session
    return try latestIDs.ids(
      for: .all, in: session, stamp: { try session.stamp(ofObjectsIn: self) }, find: objectIDs)
  }

  /// Returns the IDs of the objects that link to another through a property, in order.
  ///
  /// - Complexity: O(*n*). O(1) if nothing has changed since the last call, and that was for the
  ///   same object and property, for fewer than 131,072 objects.
  package func sourceIDs(
    _ position: Int, linkingTo target: ObjectID, of own: ClassTable
  ) throws -> [ObjectID] {
    let classID = own.resolved.id
    func find() throws -> [ObjectID] {
      try sources(position, linkingTo: target, of: classID).map(\.id)
    }
    if isOfMigration { return try find() }
    let session = session
    return try latestSources.ids(
      for: .links(by: position, to: target, of: classID), in: session,
      stamp: { try session.stamp(ofLinksTo: own, by: position, of: self) }, find: find)
  }

  /// Returns the first object that links to another through a property, or nil.
  ///
  /// - Complexity: O(log *n*).
  package func firstSource(
    _ position: Int, linkingTo target: ObjectID, of own: ClassTable
  ) throws -> ObjectID? {
    let classID = own.resolved.id
    guard !isOfMigration, let index = indexes[position] else {
      return try sources(position, linkingTo: target, of: classID).first?.id
    }
    return try resolved.sources(
      position, linkingTo: target, of: classID, in: index, session.view, limit: 1
    ).first?.id
  }
}
