import Foundation
import WhimbrelEngine
import WhimbrelTestSupport

/// A class in two versions, the objects of the first, and a rule between them: all made from one
/// seed.
struct RandomTransition {
  typealias Object = [String: PropertyValue]

  let seed: UInt64
  private(set) var generator: SeededGenerator
  let old: ClassSchema
  let new: ClassSchema
  /// The new properties that the rule sets, if it sets them.
  let ruled: Set<String>
  let key = "key"

  private static let types: [PropertyType] = [
    .int, .double, .string, .bool, .data, .int8, .list(of: ElementType(.string)),
    .list(of: ElementType(.int)),
  ]

  init(seed: UInt64) {
    self.seed = seed
    var generator = SeededGenerator(seed: seed)
    let keyType: PropertyType = Bool.random(using: &generator) ? .int : .string
    let keySchema = PropertySchema(name: key, type: keyType, isPrimaryKey: true)
    var (before, after, ruled): ([PropertySchema], [PropertySchema], Set<String>) = ([], [], [])
    for number in 0..<Int.random(in: 2...6, using: &generator) {
      let property = Self.property("p\(number)", &generator)
      before.append(property)
      guard let next = Self.changed(property, &generator) else { continue }
      after.append(next.schema)
      if next.isRuled { ruled.insert(next.schema.name) }
    }
    for number in 0..<Int.random(in: 1...3, using: &generator) {
      var property = Self.property("new\(number)", &generator)
      if !property.isOptional, !property.type.isCollection {
        property.defaultValue = .value(Self.value(of: property.type, &generator))
      }
      after.append(property)
      if Int.random(in: 0..<4, using: &generator) > 0 { ruled.insert(property.name) }
    }
    old = ClassSchema(name: "Thing", properties: [keySchema] + before)
    new = ClassSchema(name: "Thing", properties: after.shuffled(using: &generator) + [keySchema])
    self.ruled = ruled
    self.generator = generator
  }

  private static func property(
    _ name: String, _ generator: inout SeededGenerator
  ) -> PropertySchema {
    let type = types.randomElement(using: &generator) ?? .int
    return PropertySchema(
      name: name, type: type,
      isOptional: !type.isCollection && Bool.random(using: &generator),
      isIndexed: !type.isCollection && type != .data
        && Int.random(in: 0..<3, using: &generator) == 0)
  }

  /// What becomes of a property; nil if it is dropped.
  private static func changed(
    _ property: PropertySchema, _ generator: inout SeededGenerator
  ) -> (schema: PropertySchema, isRuled: Bool)? {
    var next = property
    switch Int.random(in: 0..<7, using: &generator) {
    case 0: return nil
    case 1:
      next.name += "x"
      next.previousNames = [property.name]
    case 2 where !property.type.isCollection: next.isOptional = true
    case 3 where property.type == .int8: next.type = .int
    case 4 where property.type != .data && !property.type.isCollection:
      next.isIndexed.toggle()
    case 5, 6:
      next.type = types.randomElement(using: &generator) ?? .int
      next.isIndexed = next.isIndexed && !next.type.isCollection && next.type != .data
      if next.type.isCollection { next.isOptional = false }
      if !next.type.isCollection, !next.isOptional || Bool.random(using: &generator) {
        next.defaultValue = .value(value(of: next.type, &generator))
      }
      // The rule must not change what an index already has.
      let isKept = Conversion.lossless(from: property.type, to: next.type) != nil
      return (next, !isKept || !property.isIndexed || !next.isIndexed)
    default: break
    }
    if property.isOptional, !next.isOptional {
      next.defaultValue = .value(value(of: next.type, &generator))
    }
    return (next, false)
  }

  static func value(
    of type: PropertyType, _ generator: inout SeededGenerator
  ) -> PropertyValue {
    let number = Int64.random(in: -50...50, using: &generator)
    return switch type {
    case .int, .int8: .int(number)
    case .double: .double(Double(number) / 2)
    case .bool: .bool(number > 0)
    case .data:
      .data(
        Data(
          repeating: UInt8(truncatingIfNeeded: number),
          count: Int(number + 50) * (number % 10 == 0 ? 100 : 1)))
    case .list(let element):
      .list((0..<max(0, number % 5)).map { _ in value(of: element.type, &generator) })
    default:
      .string(
        number % 10 == 0 ? String(repeating: "long \(number) ", count: 300) : "text \(number)")
    }
  }

  func object(_ number: Int, of schema: ClassSchema, _ generator: inout SeededGenerator) -> Object {
    var object: Object = [:]
    for property in schema.properties where property.name != key {
      let isNil = property.isOptional && Int.random(in: 0..<4, using: &generator) == 0
      object[property.name] = isNil ? .null : Self.value(of: property.type, &generator)
    }
    object[key] = keyValue(number)
    return object
  }

  func keyValue(_ number: Int) -> PropertyValue {
    old[key]?.type == .int ? .int(Int64(number)) : .string("key \(number)")
  }

  /// What the rule sets a property to, by the values of the old object; nil if it leaves it.
  func derived(_ property: PropertySchema, from old: Object) -> PropertyValue? {
    guard ruled.contains(property.name) else { return nil }
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for name in old.keys.sorted() {
      for byte in "\(name)=\(old[name] ?? .null)".utf8 {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
      }
    }
    for byte in property.name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    var generator = SeededGenerator(seed: hash)
    if Int.random(in: 0..<5, using: &generator) == 0 { return nil }
    if property.isOptional, Int.random(in: 0..<6, using: &generator) == 0 { return .some(.null) }
    return Self.value(of: property.type, &generator)
  }

  // MARK: Declarations

  var oldDeclaration: Declaration { Declaration(StoreSchema(classes: [old])) }

  var newDeclaration: Declaration {
    var declaration = Declaration(StoreSchema(classes: [new]))
    let transition = self
    declaration.rules = RuleBook([
      ObjectRule(from: 1, old, new, isLast: true) { RandomRule($0, transition) }
    ])
    return declaration
  }
}

/// The code of a random rule.
private final class RandomRule: RuleBody {
  private let sides: RuleSides
  private let transition: RandomTransition

  init(_ sides: RuleSides, _ transition: RandomTransition) {
    self.sides = sides
    self.transition = transition
  }

  func run(_ id: ObjectID) {
    do {
      guard let record = try sides.oldTable.record(id) else { return }
      var old: RandomTransition.Object = [:]
      for (position, property) in sides.oldTable.resolved.properties.enumerated() {
        old[property.name] = try sides.oldTable.value(position, of: record, id)
      }
      for (position, property) in transition.new.properties.enumerated() {
        guard let value = transition.derived(property, from: old) else { continue }
        try sides.newTable.set(id, at: position) { encoder in try encoder.set(position, value) }
      }
    } catch {
      sides.new.note(error)
    }
  }
}
