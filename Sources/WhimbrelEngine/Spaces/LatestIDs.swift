/// The objects that a class table found last, for code that asks for the same again and again:
/// `store.objects(Zone.self)[row]`, `country.zones[row]`.
struct LatestIDs {
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

  /// Returns the objects that were found last, if they are those that would be found now.
  mutating func answer(_ question: Question, in session: Session) -> [ObjectID]? {
    self.question == question && age.isCurrent(in: session) ? ids : nil
  }

  /// Keeps objects that were found now, unless there are many.
  ///
  /// - Parameter makeStamp: As for ``AnswerAge/begin(in:_:)``.
  mutating func keep(
    _ found: [ObjectID], for question: Question, in session: Session,
    _ makeStamp: () throws -> ContentStamp?
  ) {
    if found.count > Self.limit {
      self = LatestIDs()
      return
    }
    if self.question != question { age = AnswerAge() }
    (self.question, ids) = (question, found)
    age.begin(in: session, makeStamp)
  }
}

extension ClassTable {
  /// Returns the IDs of all objects, in order.
  ///
  /// - Complexity: O(*n*). O(1) if nothing was added or removed since the last call, for fewer than
  ///   131,072 objects.
  package func allObjectIDs() throws -> [ObjectID] {
    let session = session
    if isOfMigration { return try objectIDs() }
    if let known = latestIDs.answer(.all, in: session) { return known }
    let ids = try objectIDs()
    latestIDs.keep(ids, for: .all, in: session) { try session.stamp(ofObjectsIn: self) }
    return ids
  }

  /// Returns the IDs of the objects that link to another through a property, in order.
  ///
  /// - Complexity: O(*n*). O(1) if nothing has changed since the last call, and that was for the
  ///   same object and property, for fewer than 131,072 objects.
  package func sourceIDs(
    _ position: Int, linkingTo target: ObjectID, of own: ClassTable
  ) throws -> [ObjectID] {
    let session = session
    let classID = own.resolved.id
    if isOfMigration { return try sources(position, linkingTo: target, of: classID).map(\.id) }
    let question = LatestIDs.Question.links(by: position, to: target, of: classID)
    if let known = latestSources.answer(question, in: session) { return known }
    let ids = try sources(position, linkingTo: target, of: classID).map(\.id)
    latestSources.keep(ids, for: question, in: session) {
      try session.stamp(ofLinksTo: own, by: position, of: self)
    }
    return ids
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
