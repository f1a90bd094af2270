internal import Synchronization

/// The identity of an object among all objects of all stores, for lists that are compared:
/// `ForEach`, diffable data sources, dictionaries.
///
/// Every ``Model`` that does not declare a property `id` has its identity as `id`. Equal objects
/// have the same identity, and it stays the same as long as the process runs:
///
/// - It is the same in all stores of a file, on all threads, and after the file is closed and
///   opened again. It differs between two files, even if one is a copy of the other.
/// - An object whose identity was read before it was added keeps it, and so do other Swift objects
///   for the same stored object. An object that is added in place of an object with the same
///   primary key takes over the identity of the existing object.
/// - It can be read from deleted objects, and after the store was closed.
///
/// It has no meaning in another process. To store a reference, use the primary key or the
/// ``ObjectID``.
public struct ObjectIdentity: Hashable, Sendable {
  // Invariant: if there is no file, `id` is a number that was given out once in this process.
  let file: FileNumber
  let classID: ClassID
  let id: ObjectID

  init(file: FileNumber, classID: ClassID, id: ObjectID) {
    self.file = file
    self.classID = classID
    self.id = id
  }

  /// Makes the identity of an object that is not in a store, from its number.
  package init(unmanaged number: UInt64) {
    self.init(file: .none, classID: ClassID(rawValue: 0), id: ObjectID(rawValue: number))
  }

  /// Returns a number for an object that is not in a store.
  package static func newNumber() -> UInt64 {
    lastNumber.add(1, ordering: .relaxed).newValue
  }

  private static let lastNumber = Atomic<UInt64>(0)
}

/// The identities that objects of a file had before they were added to it.
///
/// A *place* is the identity that the object would have otherwise, made of its file, class and
/// object ID.
final class KeptIdentities: Sendable {
  private struct Content {
    var byPlace: [ObjectIdentity: ObjectIdentity] = [:]
    var places: [ObjectIdentity: ObjectIdentity] = [:]
  }

  private let content = Mutex(Content())
  // Most stores never keep an identity, and reading this flag does not lock.
  private let isEmpty = Atomic<Bool>(true)

  /// Keeps an identity for the object at a place.
  func keep(_ identity: ObjectIdentity, at place: ObjectIdentity) {
    content.withLock { content in
      if let before = content.byPlace.updateValue(identity, forKey: place) {
        content.places[before] = nil
      }
      content.places[identity] = place
    }
    isEmpty.store(false, ordering: .releasing)
  }

  func identity(at place: ObjectIdentity) -> ObjectIdentity {
    if isEmpty.load(ordering: .acquiring) { return place }
    return content.withLock { $0.byPlace[place] ?? place }
  }

  func place(of identity: ObjectIdentity) -> ObjectIdentity {
    if isEmpty.load(ordering: .acquiring) { return identity }
    return content.withLock { $0.places[identity] ?? identity }
  }
}

// MARK: - Sessions

extension Session {
  package func identity(of id: ObjectID, in table: ClassTable) -> ObjectIdentity {
    keptIdentities.identity(at: place(of: id, in: table))
  }

  /// Keeps the identity of an object that was read before the object was added.
  package func keepIdentity(_ number: UInt64, of id: ObjectID, in table: ClassTable) {
    keptIdentities.keep(ObjectIdentity(unmanaged: number), at: place(of: id, in: table))
  }

  /// Returns the object of a class with an identity, or nil if the identity belongs to another file
  /// or class.
  package func objectID(of identity: ObjectIdentity, in table: ClassTable) -> ObjectID? {
    let place = keptIdentities.place(of: identity)
    guard place.file == fileNumber, place.classID == table.resolved.id else { return nil }
    return place.id
  }

  private func place(of id: ObjectID, in table: ClassTable) -> ObjectIdentity {
    ObjectIdentity(file: fileNumber, classID: table.resolved.id, id: id)
  }
}
