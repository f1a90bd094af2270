/// The IDs of the new objects of a class in a migration.
///
/// An ID is never used again, even if its object is deleted: links may still lead to it.
struct NewObjectIDs {
  /// Whether the ID of every new object is its integer primary key.
  var areKeys: Bool
  private(set) var next: UInt64
  /// The objects that were created with their keys as IDs and deleted again.
  private var usedUp: Set<ObjectID> = []
  /// The objects that were created with their keys as IDs, or nil if there are too many to keep.
  private var created: Set<ObjectID>? = []
  /// The highest ID of a key that another ID can follow, or nil.
  private var highestKey: ObjectID?
  /// Whether objects that were created have been deleted, and it is not known which.
  private var hasForgotten = false

  /// The limit on the objects in `created`.
  private static let mostCreated = 100_000

  init(areKeys: Bool, next: UInt64) { (self.areKeys, self.next) = (areKeys, next) }

  /// Notes that an ID is used.
  mutating func skip(_ id: ObjectID) { next = max(next, id.rawValue &+ 1) }

  /// Notes that the IDs of primary keys are used.
  mutating func skipKeys() {
    if let highestKey { skip(highestKey) }
  }

  /// Takes the next ID. It may be that of an existing object.
  mutating func take() -> ObjectID {
    defer { next &+= 1 }
    return ObjectID(rawValue: next)
  }

  /// Takes the ID of a primary key. Returns nil if it may have been that of a deleted object.
  mutating func take(forKey key: Int64) -> ObjectID? {
    let id = ObjectID(clusteredKey: key)
    if hasForgotten || usedUp.contains(id) { return nil }
    if id.rawValue < .max { highestKey = max(highestKey ?? id, id) }
    created?.insert(id)
    if created?.count == Self.mostCreated { created = nil }
    return id
  }

  /// Returns whether an ID was that of an object which was created under its key and is gone.
  func isUsedUp(_ id: ObjectID) -> Bool { usedUp.contains(id) }

  /// Notes that an object of this migration was deleted.
  mutating func useUp(_ id: ObjectID) { usedUp.insert(id) }

  /// Notes that all objects were deleted.
  mutating func useUpAll() {
    if let created { usedUp.formUnion(created) } else { hasForgotten = true }
    created = []
  }
}
