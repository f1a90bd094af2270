import WhimbrelEngine
import WhimbrelTestSupport

/// Random schemas of three classes, and what a migration must make of objects:
/// the oracle of the tests of random migrations, in plain Swift.
///
/// An object is known by its `tag`, which every class has in every version.
enum MigrationModel {
  /// By class, by tag, by property; a link is the tag of its target.
  typealias Objects = [String: [Int64: StoreContents.Object]]

  static let classNames = ["A", "B", "C"]
  private static let types: [PropertyType] = [
    .bool, .int8, .int16, .int, .float, .double, .string,
  ]

  // MARK: Schemas

  static func schema(using generator: inout SeededGenerator) -> [ClassSchema] {
    classNames.map { name in
      var properties = [PropertySchema.required("tag", .int)]
      if Bool.random(using: &generator) { properties[0].isPrimaryKey = true }
      for number in 0..<Int.random(in: 1...4, using: &generator) {
        properties.append(property("p\(number)", using: &generator))
      }
      return ClassSchema(
        name: name, properties: properties, indexes: indexes(of: properties, using: &generator))
    }
  }

  private static func property(
    _ name: String, using generator: inout SeededGenerator
  ) -> PropertySchema {
    if generator.once(in: 5) {
      return .link(name, to: classNames.randomElement(using: &generator) ?? "A")
    }
    let type = types.randomElement(using: &generator) ?? .int
    var property = PropertySchema(
      name: name, type: type, isOptional: Bool.random(using: &generator),
      isIndexed: generator.once(in: 3))
    if Bool.random(using: &generator) {
      property.defaultValue = .value(value(type, using: &generator))
    }
    return property
  }

  /// The next version of a schema.
  static func changed(
    _ classes: [ClassSchema], version: Int, using generator: inout SeededGenerator
  ) -> [ClassSchema] {
    classes.map { schema in
      var properties = schema.properties
      for change in 0..<Int.random(in: 0...3, using: &generator) {
        let index = Int.random(in: 0..<properties.count, using: &generator)
        let isTag = properties[index].name == "tag"
        switch Int.random(in: 0..<8, using: &generator) {
        case 0, 1: properties.append(property("v\(version)n\(change)", using: &generator))
        case 2 where !isTag: properties.remove(at: index)
        case 3 where !isTag:
          properties[index].previousNames.append(properties[index].name)
          properties[index].name = "v\(version)r\(change)"
        case 4 where !isTag && properties[index].type.linkTarget == nil:
          properties[index].isOptional.toggle()
          if properties[index].defaultValue == .value(.null) {
            properties[index].defaultValue = .none
          }
        case 5 where !isTag: retype(&properties[index], using: &generator)
        case 6: properties[index].isIndexed.toggle()
        default: properties.shuffle(using: &generator)
        }
      }
      if generator.once(in: 4), let index = properties.firstIndex(where: { $0.name == "tag" }) {
        properties[index].isPrimaryKey.toggle()
      }
      let indexes =
        generator.once(in: 2)
        ? indexes(of: properties, using: &generator) : keptIndexes(of: schema, by: properties)
      return ClassSchema(name: schema.name, properties: properties, indexes: indexes)
    }
  }

  private static func retype(
    _ property: inout PropertySchema, using generator: inout SeededGenerator
  ) {
    let changed = Self.property(property.name, using: &generator)
    property.type = changed.type
    property.isOptional = changed.isOptional
    property.defaultValue = changed.defaultValue
    property.isIndexed = changed.isIndexed
  }

  // MARK: Values

  /// A value that every conversion of numbers keeps.
  static func value(
    _ type: PropertyType, using generator: inout SeededGenerator
  ) -> PropertyValue {
    let number = Int64.random(in: -100...100, using: &generator)
    return value(type, number)
  }

  private static func value(_ type: PropertyType, _ number: Int64) -> PropertyValue {
    switch type {
    case .bool: .bool(number > 0)
    case .float: .float(Float(number) / 2)
    case .double: .double(Double(number) / 4)
    case .string: .string(String(repeating: "s\(number)", count: Int(abs(number % 5))))
    case .link: .null
    default: .int(number)
    }
  }

  /// What the block gives a property that needs code.
  static func computed(_ property: PropertySchema, _ tag: Int64) -> PropertyValue {
    value(property.type, (tag * 7 + Int64(property.name.utf8.count)) % 101)
  }

  // MARK: What a migration does

  /// How a property of the new schema comes to its values.
  enum Source: Equatable {
    case added
    case from(PropertySchema, converts: Bool)
  }

  static func source(of property: PropertySchema, in old: ClassSchema, _ new: ClassSchema) -> Source
  {
    var found = old[property.name]
    for name in property.previousNames where found == nil && new[name] == nil {
      found = old[name]
    }
    guard let found else { return .added }
    return .from(found, converts: converts(found.type, property.type))
  }

  /// Whether values convert by themselves.
  private static func converts(_ old: PropertyType, _ new: PropertyType) -> Bool {
    let integers: Set<PropertyType> = [.int8, .int16, .int]
    if old == new { return true }
    if new == .string { return old.linkTarget == nil }
    if integers.contains(old) { return integers.contains(new) || new == .float || new == .double }
    return old == .float && new == .double
  }

  private static func convert(_ value: PropertyValue, to type: PropertyType) -> PropertyValue {
    switch (value, type) {
    case (.int(let number), .float): .float(Float(number))
    case (.int(let number), .double): .double(Double(number))
    case (.float(let number), .double): .double(Double(number))
    case (.int(let number), .string): .string("\(number)")
    case (.float(let number), .string): .string("\(number)")
    case (.double(let number), .string): .string("\(number)")
    case (.bool(let bool), .string): .string("\(bool)")
    default: value
    }
  }

  /// The value that a property gets of itself, or nil when code must set it.
  static func value(
    of property: PropertySchema, _ source: Source, for object: StoreContents.Object
  ) -> PropertyValue? {
    let fallback: PropertyValue? =
      switch property.defaultValue {
      case .value(let value): value
      default: property.isOptional ? PropertyValue.null : Optional.none
      }
    guard case .from(let old, let converts) = source else { return fallback }
    let value = object[old.name] ?? .null
    if value == .null {
      if property.isOptional { return PropertyValue.null }
      return converts ? fallback : Optional.none
    }
    return converts ? convert(value, to: property.type) : Optional.none
  }

  /// Whether any object of a class could need code.
  static func needsCode(_ old: ClassSchema, _ new: ClassSchema) -> Bool {
    new.properties.contains { property in
      switch source(of: property, in: old, new) {
      case .added: property.defaultValue == .none && !property.isOptional
      case .from(let source, let converts):
        !converts
          || (source.isOptional && !property.isOptional && property.defaultValue == .none)
      }
    }
  }

  /// The objects of one class after a migration that deletes nothing.
  static func migrated(
    _ objects: [Int64: StoreContents.Object], from old: ClassSchema, to new: ClassSchema
  ) -> [Int64: StoreContents.Object] {
    var result: [Int64: StoreContents.Object] = [:]
    for (tag, object) in objects {
      var values: StoreContents.Object = [:]
      for property in new.properties {
        let source = source(of: property, in: old, new)
        values[property.name] =
          value(of: property, source, for: object) ?? computed(property, tag)
      }
      result[tag] = values
    }
    return result
  }

  /// Makes links nil that lead to no object.
  static func removeDanglingLinks(_ objects: inout Objects, _ classes: [ClassSchema]) {
    for schema in classes {
      for property in schema.properties {
        guard let target = property.type.linkTarget else { continue }
        for (tag, object) in objects[schema.name] ?? [:] {
          if case .int(let linked)? = object[property.name],
            objects[target]?[linked] == nil
          {
            objects[schema.name]?[tag]?[property.name] = .null
          }
        }
      }
    }
  }

  /// What a store holds, in the words of the oracle.
  static func objects(in contents: StoreContents) -> Objects {
    var tags: [String: [UInt64: Int64]] = [:]
    for (name, objects) in contents.objects {
      tags[name] = objects.compactMapValues { object in
        if case .int(let tag)? = object["tag"] { tag } else { nil }
      }
    }
    return contents.objects.mapValues { objects in
      var result: [Int64: StoreContents.Object] = [:]
      for object in objects.values {
        guard case .int(let tag)? = object["tag"] else { continue }
        result[tag] = object
      }
      return result
    }.reduce(into: [:]) { result, entry in
      let schema = contents.catalog[entry.key]?.schema
      result[entry.key] = entry.value.mapValues { object in
        var object = object
        for (name, value) in object {
          guard case .link(let id) = value, let target = schema?[name]?.type.linkTarget else {
            continue
          }
          object[name] = tags[target]?[id.rawValue].map { .int($0) } ?? "dangling"
        }
        return object
      }
    }
  }
}
