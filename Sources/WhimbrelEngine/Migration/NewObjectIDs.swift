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
  /// The IDs that were taken for objects which are not yet written. A graph of objects takes all of
  /// its IDs before the first object is written. Later IDs only ascend, so these are kept only while
  /// IDs may be keys.
  private var awaited: Set<ObjectID> = []
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
    while awaited.contains(ObjectID(rawValue: next)) { next &+= 1 }
    defer { next &+= 1 }
    if areKeys { awaited.insert(ObjectID(rawValue: next)) }
    return ObjectID(rawValue: next)
  }

  /// Takes the ID of a primary key. Returns nil if it may have been that of a deleted object, or if
  /// it was taken for an object that is not yet written.
  mutating func take(forKey key: Int64) -> ObjectID? {
    let id = ObjectID(clusteredKey: key)
    if hasForgotten || usedUp.contains(id) || awaited.contains(id) { return nil }
    awaited.insert(id)
    if id.rawValue < .max { highestKey = max(highestKey ?? id, id) }
    created?.insert(id)
    if created?.count == Self.mostCreated { created = nil }
    return id
  }

  /// Notes that an object was written under an ID.
  mutating func didWrite(_ id: ObjectID) {
    if !awaited.isEmpty { awaited.remove(id) }
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
