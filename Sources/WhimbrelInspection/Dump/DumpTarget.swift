internal import WhimbrelEngine

/// A class that links lead to, with the names of its objects in JSON and CSV.
///
/// Objects are named by primary key, or by object ID if the class has no primary key.
final class DumpTarget {
  let table: ClassTable
  /// The bytes in front of the member that names the object, in a value of any type.
  let anyHead: [UInt8]
  private let naming: Naming
  /// The members of linked objects, direct-mapped by object ID. Often many links lead to few
  /// objects, and each miss costs a look-up of the record.
  // Safe: one thread uses the target, and no access to the cache overlaps another.
  @safe @exclusivity(unchecked) private var cache: [(id: UInt64, member: [UInt8])] = []

  private enum Naming {
    case objectID
    /// The primary key, which the object ID encodes.
    case clusteredKey
    /// The primary key, which the record holds at an index.
    case key(position: Int)
  }

  /// The number of cached objects. Must be a power of two.
  private static let cacheSize = 4_096

  init(_ table: ClassTable) {
    self.table = table
    var writer = JSONWriter()
    writer.append(raw: #"{"object":{"class":"#)
    writer.append(table.name)
    writer.append(raw: ",")
    anyHead = writer.bytes
    naming =
      if table.resolved.isClustered {
        .clusteredKey
      } else if let position = table.resolved.primaryKeyIndex {
        .key(position: position)
      } else {
        .objectID
      }
  }

  /// Appends the member that names an object: `"key":"AD"` or `"link":17`.
  ///
  /// An object that is missing or damaged is named by its object ID.
  ///
  /// - Complexity: O(log *n*).
  func append(memberFor id: ObjectID, to writer: inout JSONWriter) throws {
    switch naming {
    case .objectID: Self.append(id, to: &writer)
    case .clusteredKey:
      writer.append(raw: #""key":"#)
      writer.append(exact: id.clusteredKey)
    case .key(let position):
      if cache.isEmpty { cache = Array(repeating: (0, []), count: Self.cacheSize) }
      let slot = Int(truncatingIfNeeded: id.rawValue) & (Self.cacheSize - 1)
      if cache[slot].id != id.rawValue || cache[slot].member.isEmpty {
        cache[slot] = (id.rawValue, try member(for: id, position))
      }
      writer.append(raw: cache[slot].member)
    }
  }

  private static func append(_ id: ObjectID, to writer: inout JSONWriter) {
    writer.append(raw: #""link":"#)
    writer.append(exact: id.rawValue)
  }

  private func member(for id: ObjectID, _ position: Int) throws -> [UInt8] {
    var writer = JSONWriter()
    do {
      if let record = try table.record(id) {
        try table.verify(record, id)
        let key = try table.value(position, of: record, id)
        writer.append(raw: #""key":"#)
        writer.append(key)
        return writer.bytes
      }
    } catch StoreError.Code.damaged {
      writer.removeAll()
    }
    Self.append(id, to: &writer)
    return writer.bytes
  }
}

extension JSONWriter {
  /// Appends a link to an object: `{"key":"AD"}`, or `{"link":17}` if its class has no primary key.
  mutating func append(linkTo id: ObjectID, _ target: DumpTarget?) throws {
    append(raw: "{")
    if let target {
      try target.append(memberFor: id, to: &self)
    } else {
      append(raw: #""link":"#)
      append(exact: id.rawValue)
    }
    append(raw: "}")
  }

  /// Appends the value of a property.
  ///
  /// - Parameter target: The class that the links in the value lead to.
  mutating func append(_ value: PropertyValue, linkingTo target: DumpTarget?) throws {
    guard let target else { return append(value) }
    switch value {
    case .link(let id): try append(linkTo: id, target)
    case .list(let elements):
      try append(elements, "[", "]") { writer, element in
        try writer.append(element, linkingTo: target)
      }
    case .map(let elements):
      try append(elements.inDumpOrder, "{", "}") { writer, element in
        writer.append(name: element.key)
        try writer.append(element.value, linkingTo: target)
      }
    default: append(value)
    }
  }
}
