internal import Foundation
package import WhimbrelEngine
internal import WhimbrelTestSupport

package struct RandomStoreMaker {
  private var random: SeededGenerator
  package private(set) var classes: [ClassSchema] = []

  package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  package mutating func make(at path: String) throws {
    let names = (0..<Int.random(in: 1...5, using: &random)).map { makeName("Class\($0)") }
    classes = names.map { makeClass($0, among: names) }
    try makeStore(at: path, classes, version: .random(in: 0...9, using: &random)) { session in
      try fill(session)
    }
  }

  private mutating func makeClass(_ name: String, among names: [String]) -> ClassSchema {
    var properties: [PropertySchema] = []
    switch Int.random(in: 0..<4, using: &random) {
    case 0: properties.append(PropertySchema(name: "key", type: .string, isPrimaryKey: true))
    case 1: properties.append(PropertySchema(name: "key", type: .int, isPrimaryKey: true))
    case 2: properties.append(PropertySchema(name: "key", type: .uuid, isPrimaryKey: true))
    default: break
    }
    for index in 0..<Int.random(in: 0...8, using: &random) {
      let type = makeType(among: names)
      properties.append(
        PropertySchema(
          name: makeName("property\(index)"), type: type,
          isOptional: type.emptyValue == nil && .random(using: &random),
          isIndexed: type.canBeIndexed && .random(using: &random)))
    }
    return ClassSchema(name: name, properties: properties)
  }

  /// Returns a unique name. It is plain, or has characters with a special meaning in some language.
  private mutating func makeName(_ name: String) -> String {
    let signs = [
      " ", "-", ".", "=", ",", "'", "\"", "`", "\\", "/", "..", "$", "@", "#", "%", "{", "(", ";",
      "|",
      " where ", "é", "日本", "😀", "\u{200D}", "null", "\u{FEFF}", "\u{202E}",
    ]
    guard Bool.random(using: &random) else { return name }
    let before = (0..<Int.random(in: 0...2, using: &random)).map { _ in
      signs.randomElement(using: &random) ?? ""
    }
    return before.joined() + name + (signs.randomElement(using: &random) ?? "")
  }

  private mutating func makeType(among names: [String]) -> PropertyType {
    let isLink = Int.random(in: 0..<4, using: &random) == 0
    let link = names.randomElement(using: &random).map(PropertyType.link)
    let type = (isLink ? link : PropertyType.scalars.randomElement(using: &random)) ?? .int
    let element = ElementType(
      type, isOptional: !isLink && type != .any && .random(using: &random))
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .list(of: element)
    case 1: return .set(of: element)
    case 2: return .map(of: element)
    default: return type
    }
  }

  private mutating func fill(_ session: Session) throws {
    for schema in classes {
      let table = try session.table(schema.name)
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        var values: [String: PropertyValue] = [:]
        for property in schema.properties where property.type.linkedClass == nil {
          let isNil = property.isOptional && .random(using: &random)
          values[property.name] =
            isNil ? .null : makeValue(property.type, isKey: property.isPrimaryKey)
        }
        _ = try table.create(values, replacing: false)
      }
    }
    for schema in classes { try link(schema, session) }
    for schema in classes {
      let table = try session.table(schema.name)
      for id in try table.objectIDs() where Int.random(in: 0..<8, using: &random) == 0 {
        try table.remove(id)
      }
    }
  }

  private mutating func link(_ schema: ClassSchema, _ session: Session) throws {
    let table = try session.table(schema.name)
    for (position, property) in schema.properties.enumerated()
    where property.type.holdsLinks {
      for id in try table.objectIDs() where Bool.random(using: &random) {
        let value = try makeLinks(property.type, session)
        try table.update(id) { encoder throws in try encoder.set(position, value) }
      }
    }
  }

  /// Returns links to existing objects.
  private mutating func makeLinks(
    _ type: PropertyType, _ session: Session
  ) throws -> PropertyValue {
    if let element = type.elementType {
      let values = try (0..<Int.random(in: 0...5, using: &random)).map { _ in
        try makeLinks(element.type, session)
      }.filter { !$0.isNull || element.type == .any }
      guard case .map = type else { return .list(values) }
      return .map(
        Dictionary(
          values.map { ("\(random.next()) \(makeText())", $0) },
          uniquingKeysWith: { first, _ in first }))
    }
    let target = type.linkTarget ?? classes.randomElement(using: &random)?.name ?? ""
    let table = try session.table(target)
    guard let id = try table.objectIDs().randomElement(using: &random) else { return .null }
    if type.linkTarget != nil { return .link(id) }
    let object = PropertyValue.object(ObjectReference(classID: table.resolved.id, id: id))
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return .list([object, makeValue(.any), object])
    case 1: return .map(["": object, " \(makeText())": makeValue(.any)])
    default: return object
    }
  }

  /// Returns a random value. Keys are practically unique.
  private mutating func makeValue(_ type: PropertyType, isKey: Bool = false) -> PropertyValue {
    let bits = random.next()
    switch type {
    case .list(let element), .set(let element):
      return .list(makeElements(element))
    case .map(let element):
      return .map(
        Dictionary(
          makeElements(element).map { ("\(random.next()) \(makeText())", $0) },
          uniquingKeysWith: { first, _ in first }))
    case .any: return makeAny(bits)
    case .decimal:
      return .decimal(
        Decimal(exactText: "\(Int64(bitPattern: bits))e\(Int.random(in: -90...90, using: &random))")
          ?? .nan)
    case .objectId:
      return .objectId(ObjectId(high: bits, low: UInt32.random(in: 0...(.max), using: &random)))
    case .bool: return .bool(bits & 1 == 0)
    case .float: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case .double: return .double(Double(bitPattern: bits))
    case .date:
      let isPlain = bits & 1 == 0
      let seconds = isPlain ? Double(bits >> 20) / 1_000 - 5e9 : Double(bitPattern: bits)
      return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .uuid:
      let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
      let text = bytes.map { String($0 | 0x10, radix: 16) }.joined()
      let parts = [
        text.prefix(8), text.dropFirst(8).prefix(4), text.dropFirst(12).prefix(4),
        text.dropFirst(16).prefix(4), text.dropFirst(20).prefix(12),
      ]
      return .uuid(UUID(uuidString: parts.joined(separator: "-")) ?? UUID())
    case .data: return .data(Data(makeText().utf8))
    case .string: return .string(isKey ? "\(bits) \(makeText())" : makeText())
    case .link: return .null
    default:
      let bounds = type.integerBounds ?? 0...0
      return .int(.random(in: bounds, using: &random))
    }
  }

  private mutating func makeElements(_ element: ElementType) -> [PropertyValue] {
    let count = [0, 1, 3, 3, 40].randomElement(using: &random) ?? 0
    return (0..<count).map { _ in
      element.isOptional && Int.random(in: 0..<4, using: &random) == 0
        ? .null : makeValue(element.type)
    }
  }

  private mutating func makeAny(_ bits: UInt64) -> PropertyValue {
    switch bits % 8 {
    case 0: return .null
    case 1: return .list(makeElements(ElementType(.int8, isOptional: true)))
    case 2: return [["a": makeValue(.any)], makeValue(.any)]
    default:
      let type = PropertyType.scalars.filter { $0 != .any }.randomElement(using: &random)
      return makeValue(type ?? .int)
    }
  }

  private mutating func makeText() -> String {
    let length = [0, 3, 3, 20, 500].randomElement(using: &random) ?? 0
    let scalars = (0..<length).map { _ in
      Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random)) ?? "x"
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
