internal import Synchronization

/// The identity of an object among all objects of all stores, for lists that are compared:
/// `ForEach`, diffable data sources, dictionaries.
///
/// Every ``Model`` that does not declare a property `id` has one as its `id`. Objects that are
/// equal have the same, and it stays for as long as the process runs:
///
/// - it is the same in all stores of a file, on all threads, and when the file is closed and
///   opened again; in two files it differs, be they copies of each other;
/// - an object that was asked for its identity before it was added keeps it, and so do other
///   Swift objects for it; one that is added in place of an object with the same primary key
///   takes over that of the object which was there;
/// - it can be asked of deleted objects, and after the store was closed.
///
/// It means nothing to another process: to keep a reference, write down the primary key or the
/// ``ObjectID``.
public struct ObjectIdentity: Hashable, Sendable {
  // Invariant: without a file, `id` is a number that was given out once in this process.
  let file: FileNumber
  let classID: ClassID
  let id: ObjectID

  init(file: FileNumber, classID: ClassID, id: ObjectID) {
    self.file = file
    self.classID = classID
    self.id = id
  }

  /// The identity of an object that is in no store, of its number.
  package init(unmanaged number: UInt64) {
    self.init(file: .none, classID: ClassID(rawValue: 0), id: ObjectID(rawValue: number))
  }

  /// A number for an object that is in no store.
  package static func newNumber() -> UInt64 {
    lastNumber.add(1, ordering: .relaxed).newValue
  }

  private static let lastNumber = Atomic<UInt64>(0)
}

/// The identities that objects of a file had before they were added to it.
final class KeptIdentities: Sendable {
  private struct Content {
    var byPlace: [ObjectIdentity: ObjectIdentity] = [:]
    var places: [ObjectIdentity: ObjectIdentity] = [:]
  }

  private let content = Mutex(Content())
  // Most stores never have any, and need not lock to see that.
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

  /// The identity of the object at a place.
  func identity(at place: ObjectIdentity) -> ObjectIdentity {
    if isEmpty.load(ordering: .acquiring) { return place }
    return content.withLock { $0.byPlace[place] ?? place }
  }

  /// The place of the object with an identity.
  func place(of identity: ObjectIdentity) -> ObjectIdentity {
    if isEmpty.load(ordering: .acquiring) { return identity }
    return content.withLock { $0.places[identity] ?? identity }
  }
}

// MARK: - Sessions

extension Session {
  /// The identity of an object of a class.
  package func identity(of id: ObjectID, in table: ClassTable) -> ObjectIdentity {
    keptIdentities.identity(at: place(of: id, in: table))
  }

  /// Lets an object that was added keep the identity that it had.
  package func keepIdentity(_ number: UInt64, of id: ObjectID, in table: ClassTable) {
    keptIdentities.keep(ObjectIdentity(unmanaged: number), at: place(of: id, in: table))
  }

  /// The object of a class with an identity, or nil when that is of another file or class.
  package func objectID(of identity: ObjectIdentity, in table: ClassTable) -> ObjectID? {
    let place = keptIdentities.place(of: identity)
    guard place.file == fileNumber, place.classID == table.resolved.id else { return nil }
    return place.id
  }

  private func place(of id: ObjectID, in table: ClassTable) -> ObjectIdentity {
    ObjectIdentity(file: fileNumber, classID: table.resolved.id, id: id)
  }
}
