internal import WhimbrelEngine

/// An index of the objects without primary keys that values of an export lead to.
///
/// Without `$refId`, an export describes a linked object only by its values. So the index looks for
/// an object with the same values. It needs some 32 bytes for each object of these classes.
final class RealmLinks {
  /// The objects by their identity in the export.
  private var known: [ClassID: [RealmObjectNode.Identity: UInt64]] = [:]
  /// The first object with a fingerprint of values, and the number of objects with it.
  private var alike: [ClassID: [UInt64: (first: UInt64, count: Int)]] = [:]

  /// Returns whether the objects of a class need this index.
  static func needs(_ table: ClassTable) -> Bool {
    table.resolved.primaryKeyIndex == nil && !table.resolved.isEmbedded
  }

  func add(_ object: RealmObjectNode, _ sourceID: UInt64, of table: ClassTable) throws {
    let classID = table.resolved.id
    if let identity = object.identity { known[classID, default: [:]][identity] = sourceID }
    let print = try Self.fingerprint(object, of: table)
    alike[classID, default: [:]][print, default: (sourceID, 0)].count += 1
  }

  /// Returns the object that a value leads to, and the number of objects with the same values.
  func find(
    _ object: RealmObjectNode, of table: ClassTable
  ) throws -> (sourceID: UInt64, count: Int)? {
    let classID = table.resolved.id
    if let identity = object.identity, let sourceID = known[classID]?[identity] {
      return (sourceID, 1)
    }
    if object.isReference { return nil }
    return try alike[classID]?[Self.fingerprint(object, of: table)]
      .map { ($0.first, $0.count) }
  }

  /// Returns a number that is the same for objects with the same values. Of linked objects with a
  /// primary key only the key counts, and of others all values.
  private static func fingerprint(
    _ object: RealmObjectNode, of table: ClassTable
  ) throws -> UInt64 {
    var hash = Fingerprint()
    try hash.add(object, of: table)
    return hash.value
  }

  /// An FNV-1a hash, which is the same in every run.
  private struct Fingerprint {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ object: RealmObjectNode, of table: ClassTable) throws {
      for property in table.resolved.properties {
        guard let value = try object.member(property.name) else { continue }
        add(property.name)
        let target = try property.type.linkedClass.map(table.session.table)
        if case .map = property.type, case .object(let map) = value {
          for (name, value) in try map.members() {
            add(name)
            try add(value, of: target)
          }
        } else {
          try add(value, of: target)
        }
      }
    }

    private mutating func add(_ text: String) {
      for byte in text.utf8 { add(byte) }
      add(0)
    }

    private mutating func add(_ byte: UInt8) {
      value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }

    private mutating func add(_ node: RealmNode, of target: ClassTable?) throws {
      add(node.kind)
      switch node {
      case .null: break
      case .bool(let bool): add(bool ? "true" : "false")
      case .number(let text), .string(let text): add(text)
      case .array(let nodes): for node in nodes { try add(node, of: target) }
      case .object(let object):
        guard let target else { return add(try RealmValueReader.decimal(object) ?? "") }
        guard let position = target.resolved.primaryKeyIndex else {
          // Objects that the export identifies may form cycles. They are not found by values.
          if object.identity == nil { try add(object, of: target) }
          return
        }
        if object.isReference { return add(object.referenceKey ?? "") }
        switch try object.member(target.resolved.properties[position].name) {
        case .string(let text), .number(let text): add(text)
        default: break
        }
      }
    }
  }
}
