internal import WhimbrelEngine

/// The differing objects that the count has found. Showing them does not need a second search.
final class FoundDifferences {
  /// The IDs of an object in both stores. Nil in a store without the object.
  private struct Found {
    let old: ObjectID?
    let new: ObjectID?
  }

  // Safe: one thread uses the object, and no access to these properties overlaps another.
  @safe @exclusivity(unchecked) private var byClass: [String: [Found]] = [:]
  @safe @exclusivity(unchecked) private var current = ""
  @safe @exclusivity(unchecked) private var count = 0

  /// The limit of objects in all classes. A class that exceeds it is dropped, and searched again.
  private static let limit = 100_000

  func begin(_ className: String) {
    count -= byClass[className]?.count ?? 0
    current = className
    byClass[className] = []
  }

  /// Adds an object of the current class.
  func add(old: ObjectID?, new: ObjectID?) {
    guard byClass[current] != nil else { return }
    guard count < Self.limit else {
      count -= byClass[current]?.count ?? 0
      byClass[current] = nil
      return
    }
    count += 1
    byClass[current]?.append(Found(old: old, new: new))
  }

  /// Returns the differing objects of a class in the order of the keys or IDs, or nil if they were
  /// dropped.
  ///
  /// - Throws: `StoreError` for a damaged object.
  func places(of pair: ClassPair) throws -> [ObjectMerge.Place]? {
    guard let found = byClass[pair.name] else { return nil }
    let places = try found.compactMap { try place(of: $0, pair) }
    return places.sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }

  private func place(of found: Found, _ pair: ClassPair) throws -> ObjectMerge.Place? {
    func entry(_ id: ObjectID?, _ table: ClassTable?) throws -> ObjectWalk.Entry? {
      guard let id, let table else { return nil }
      return try ObjectWalk.entry(id, of: table, by: pair.order)
    }
    switch (try entry(found.old, pair.old), try entry(found.new, pair.new)) {
    case (let old?, nil): return .old(old)
    case (nil, let new?): return .new(new)
    case (let old?, let new?):
      if old.key != new.key, let table = pair.new {
        throw table.damagedRecord(new.id, "the primary key that leads to it is not its own")
      }
      return .both(old, new)
    case (nil, nil): return nil
    }
  }
}

extension ObjectMerge.Place {
  /// The bytes that order the objects.
  fileprivate var key: [UInt8] {
    switch self {
    case .old(let entry), .new(let entry), .both(_, let entry): entry.key
    }
  }
}
