internal import WhimbrelLMDB

/// The IDs that the new objects of a class get in a migration.
///
/// An ID is not given out again, also when its object is deleted: links may still lead to it.
struct NewObjectIDs {
  /// Whether every new object stands under its integer primary key.
  var areKeys: Bool
  private(set) var next: UInt64 = 1
  /// Objects that were created under their keys and deleted again.
  private var usedUp: Set<ObjectID> = []
  /// The objects that were created under their keys, or nil when there are too many to keep.
  private var created: Set<ObjectID>? = []
  /// Whether objects that were created are gone, nobody knows which.
  private var hasForgotten = false

  /// How many of those created are kept at most.
  private static let mostCreated = 100_000

  /// - Parameter stored: the next ID as the file has it, or nil when it has none.
  init(areKeys: Bool, stored: PageBytes?) {
    self.areKeys = areKeys
    if let stored, stored.count == 8 {
      next = UInt64(littleEndian: stored.load(UInt64.self, at: 0))
    }
  }

  /// Takes note that an ID is used.
  mutating func skip(_ id: ObjectID) { next = max(next, id.rawValue &+ 1) }

  /// Returns the next ID, which may be used.
  mutating func take() -> ObjectID {
    defer { next &+= 1 }
    return ObjectID(rawValue: next)
  }

  /// Takes the ID of a primary key, or returns nil when it may be that of an object that is gone.
  mutating func take(forKey key: Int64) -> ObjectID? {
    let id = ObjectID(clusteredKey: key)
    if hasForgotten || usedUp.contains(id) { return nil }
    created?.insert(id)
    if created?.count == Self.mostCreated { created = nil }
    return id
  }

  /// Returns whether an ID was that of an object which was created under its key and is gone.
  func isUsedUp(_ id: ObjectID) -> Bool { usedUp.contains(id) }

  /// Takes note that an object of this migration is gone.
  mutating func useUp(_ id: ObjectID) { usedUp.insert(id) }

  /// Takes note that all objects are gone.
  mutating func useUpAll() {
    if let created { usedUp.formUnion(created) } else { hasForgotten = true }
    created = []
  }
}
