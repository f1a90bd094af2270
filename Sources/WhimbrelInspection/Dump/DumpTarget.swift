internal import WhimbrelEngine

/// A class that links lead to, as JSON and CSV name its objects: by their primary keys, and by their
/// object IDs where the class has none.
final class DumpTarget {
  let table: ClassTable
  /// What stands in front of an object of the class in a value of any type.
  let anyHead: [UInt8]
  private let naming: Naming
  /// The members of objects that were linked to: many links lead to few objects.
  // Safe: it is used by one call after the other, on one thread.
  @safe @exclusivity(unchecked) private var cache: [(id: UInt64, member: [UInt8])] = []

  private enum Naming {
    /// By the object ID.
    case objectID
    /// By the primary key that the object ID is made of.
    case clusteredKey
    /// By the value of a property.
    case key(position: Int)
  }

  /// How many objects are remembered: a power of two.
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

  /// Appends the member that names an object: `"key":"AD"`, or `"link":17`.
  ///
  /// An object that is not there, or is damaged, is named by its object ID.
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
  /// Appends a link to an object of a class: `{"key":"AD"}`, or `{"link":17}` where there is no
  /// primary key.
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
  /// - Parameter target: the class that its links lead to.
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
