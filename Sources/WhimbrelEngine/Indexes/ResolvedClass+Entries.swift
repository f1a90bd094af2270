package import WhimbrelLMDB

extension ResolvedClass {
  /// Appends the key of a primary key's value, without an object ID.
  func appendKey(
    _ position: Int, of record: PageBytes, _ layout: ResolvedLayout, _ overflow: Overflow,
    to key: inout some KeyBytes
  ) throws {
    try layout.appendKey(position, of: record, overflow, isOptional: false, to: &key)
  }

  /// Returns the entries of an object in the index of a property.
  ///
  /// Every value is encoded as an optional one, so an index does not change when its property
  /// becomes optional or required. A nil link does not have an entry. The keys are
  /// | property | key, with lengths in bytes |
  /// |---|---|
  /// | link, or collection of links | target's object ID (8), object ID (8) |
  /// | any type, or collection of it | target's class ID (4) and object ID (8), object ID (8) |
  /// | any other | encoded value, object ID (8) |
  package func indexEntries(
    _ position: Int, of record: PageBytes, _ layout: ResolvedLayout, _ id: ObjectID,
    _ overflow: Overflow
  ) throws -> [IndexEntry] {
    let type = properties[position].type
    guard type.holdsLinks else {
      var key: [UInt8] = []
      try layout.appendKey(position, of: record, overflow, isOptional: true, to: &key)
      KeyEncoding.append(id, to: &key)
      return [IndexEntry(key: key)]
    }
    let value = try layout.value(position, of: record, overflow)
    if case .link = type { return value.linkTargets.map { IndexEntry($0, from: id, count: 1) } }
    let counts = value.linkTargets.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    return counts.map { IndexEntry($0, from: id, count: $1) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }

  /// Returns the objects that link to another through a property, with the number of links from
  /// each, in the order of their IDs. They are read from the property's index or a table with the
  /// same entries.
  ///
  /// - Parameter limit: The limit on the objects to return.
  func sources(
    _ position: Int, linkingTo target: ObjectID, of classID: ClassID, in index: Table,
    _ view: ReadView, limit: Int = .max
  ) throws -> [(id: ObjectID, count: Int)] {
    let prefix = IndexEntry.prefix(linkTarget(position, target, of: classID))
    let cursor = try view.cursor(index)
    var found: [(id: ObjectID, count: Int)] = []
    var isInside = try cursor.seek(atLeast: prefix)
    while isInside, found.count < limit, cursor.key.hasPrefix(prefix) {
      if cursor.key.count == prefix.count + 8 {
        let id = ObjectID(rawValue: cursor.key.loadBigEndian(at: prefix.count))
        found.append((id, IndexEntry.count(cursor.value)))
      }
      isInside = try cursor.move(to: .next)
    }
    return found
  }

  /// Returns an object as a property links to it.
  private func linkTarget(
    _ position: Int, _ target: ObjectID, of classID: ClassID
  ) -> LinkTarget {
    let isOpen = properties[position].type.linkedClass == nil
    return isOpen ? .reference(ObjectReference(classID: classID, id: target)) : .object(target)
  }

  /// Returns whether an object links to another through a property. This is read from the property's
  /// index.
  func links(
    _ position: Int, from source: ObjectID, to target: ObjectID, of classID: ClassID,
    in index: Table, _ view: ReadView
  ) throws -> Bool {
    let target = linkTarget(position, target, of: classID)
    return try view.value(index, IndexEntry(target, from: source, count: 1).key) != nil
  }

  /// Returns whether an object may have several entries in the index of a property.
  package func hasManyEntries(_ position: Int) -> Bool {
    let type = properties[position].type
    return type.holdsLinks && type.linkTarget == nil
  }
}

/// An entry of an index.
package struct IndexEntry: Hashable {
  package let key: [UInt8]
  /// The value stored under the key. The index of a primary key stores the object ID. An index of a
  /// property with several links stores the number of links to the target, in 8 bytes, if it is not
  /// 1. All other indexes store nothing.
  package let content: [UInt8]

  init(key: [UInt8], content: [UInt8] = []) {
    self.key = key
    self.content = content
  }

  /// Creates the entry of an object that links to another `count` times.
  init(_ target: LinkTarget, from id: ObjectID, count: Int) {
    var key = Self.prefix(target)
    KeyEncoding.append(id, to: &key)
    self.init(key: key, count: count)
  }

  /// Creates the entry of `count` links with a key.
  init(key: [UInt8], count: Int) {
    var content: [UInt8] = []
    if count > 1 { content.append(littleEndian: UInt64(count)) }
    self.init(key: key, content: content)
  }

  /// Returns the common prefix of the keys of all objects that link to a target.
  static func prefix(_ target: LinkTarget) -> [UInt8] {
    var prefix: [UInt8] = []
    // Room for the ID of the object that links to the target, too.
    prefix.reserveCapacity(20)
    switch target {
    case .object(let id):
      KeyEncoding.append(id, to: &prefix)
    case .reference(let reference):
      KeyEncoding.append(reference.classID.rawValue, to: &prefix)
      KeyEncoding.append(reference.id, to: &prefix)
    }
    return prefix
  }

  /// Returns the number of links that the content of an entry stores.
  package static func count(_ content: PageBytes) -> Int {
    content.count == 8
      ? Int(clamping: UInt64(littleEndian: content.load(UInt64.self, at: 0))) : 1
  }
}
