internal import WhimbrelEngine

/// Finds the objects without primary keys that values of an export lead to.
///
/// An export says of a linked object only what its values are, unless it has `$refId`. So an object
/// with the same values is looked for. Memory: some 32 bytes for each object of such classes.
final class RealmLinks {
  /// Objects by what the export calls them.
  private var known: [ClassID: [RealmObjectNode.Identity: UInt64]] = [:]
  /// The first object with certain values, and how many have them.
  private var alike: [ClassID: [UInt64: (first: UInt64, count: Int)]] = [:]

  /// Whether objects of a class are found by it.
  static func needs(_ table: ClassTable) -> Bool {
    table.resolved.primaryKeyIndex == nil && !table.resolved.isEmbedded
  }

  /// Takes up an object.
  func add(_ object: RealmObjectNode, _ sourceID: UInt64, of table: ClassTable) throws {
    let classID = table.resolved.id
    if let identity = object.identity { known[classID, default: [:]][identity] = sourceID }
    let print = try Self.fingerprint(object, of: table)
    alike[classID, default: [:]][print, default: (sourceID, 0)].count += 1
  }

  /// The object that a value leads to, and how many look the same.
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

  /// A number that is the same for objects with the same values. Of objects that these link to
  /// only primary keys count.
  private static func fingerprint(
    _ object: RealmObjectNode, of table: ClassTable
  ) throws -> UInt64 {
    var hash = Fingerprint()
    for property in table.resolved.properties {
      guard let value = try object.member(property.name) else { continue }
      hash.add(property.name)
      let target = try property.type.linkedClass.map(table.session.table)
      try hash.add(value, keyOf: target)
    }
    return hash.value
  }

  /// FNV-1a, which is the same in each run.
  private struct Fingerprint {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ text: String) {
      for byte in text.utf8 { add(byte) }
      add(0)
    }

    private mutating func add(_ byte: UInt8) {
      value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }

    mutating func add(_ node: RealmNode, keyOf target: ClassTable?) throws {
      add(node.kind)
      switch node {
      case .null: break
      case .bool(let bool): add(bool ? "true" : "false")
      case .number(let text), .string(let text): add(text)
      case .array(let nodes): for node in nodes { try add(node, keyOf: target) }
      case .object(let object):
        guard let position = target?.resolved.primaryKeyIndex,
          let name = target?.resolved.properties[position].name
        else { return }
        if object.isReference { return add(object.referenceKey ?? "") }
        switch try object.member(name) {
        case .string(let text), .number(let text): add(text)
        default: break
        }
      }
    }
  }
}
