import Foundation
import Whimbrel

/// What a store of the random walk has to hold, kept in plain dictionaries.
struct ObjectOracle {
  /// An object, whatever its values.
  struct Reference: Hashable, Comparable, CustomStringConvertible {
    let className: String
    let id: ObjectID

    static func < (lhs: Self, rhs: Self) -> Bool {
      (lhs.className, lhs.id.rawValue) < (rhs.className, rhs.id.rawValue)
    }

    var description: String { "\(className) \(id)" }
  }

  /// A class, and what has to be known of it again and again.
  struct Shape {
    let schema: ClassSchema
    let classID: ClassID
    let positions: [String: Int]
    /// The positions of the properties that hold links, with the class that they lead to;
    /// nil is any.
    let links: [(position: Int, target: String?)]
    /// The positions of the properties that own embedded objects.
    let owned: [(position: Int, target: String)]

    var name: String { schema.name }
    var properties: [PropertySchema] { schema.properties }
  }

  /// The classes, sorted by name.
  let shapes: [Shape]
  private let shapesByName: [String: Shape]
  private let namesByID: [ClassID: String]
  /// The values of all objects, in the order of the properties.
  private(set) var objects: [String: [ObjectID: [PropertyValue]]] = [:]
  /// What has been changed since it was last asked for.
  var touched: Set<Reference> = []

  init(_ schema: StoreSchema, classIDs: [String: ClassID]) {
    let embedded = Set(schema.classes.filter(\.isEmbedded).map(\.name))
    shapes = schema.classes.map { schema in
      let properties = schema.properties.enumerated()
      return Shape(
        schema: schema, classID: classIDs[schema.name] ?? ClassID(rawValue: 0),
        positions: Dictionary(uniqueKeysWithValues: properties.map { ($1.name, $0) }),
        links: properties.compactMap { position, property in
          let isOpen = (property.type.elementType?.type ?? property.type) == .any
          return isOpen
            ? (position, nil) : property.type.linkedClass.map { (position, $0) }
        },
        owned: properties.compactMap { position, property in
          property.type.linkedClass.flatMap { embedded.contains($0) ? (position, $0) : nil }
        })
    }
    shapesByName = Dictionary(uniqueKeysWithValues: shapes.map { ($0.name, $0) })
    namesByID = Dictionary(uniqueKeysWithValues: shapes.map { ($0.classID, $0.name) })
    for shape in shapes { objects[shape.name] = [:] }
  }
}

// MARK: - Asking

extension ObjectOracle {
  func shape(_ className: String) -> Shape {
    guard let shape = shapesByName[className] else { fatalError("no class \(className)") }
    return shape
  }

  func count(_ className: String) -> Int { objects[className]?.count ?? 0 }

  func ids(_ className: String) -> [ObjectID] {
    // Sorted: the order of a dictionary differs from run to run.
    (objects[className] ?? [:]).keys.sorted { $0.rawValue < $1.rawValue }
  }

  func exists(_ reference: Reference) -> Bool { values(reference) != nil }

  func values(_ reference: Reference) -> [PropertyValue]? {
    objects[reference.className]?[reference.id]
  }

  func value(_ reference: Reference, _ property: String) -> PropertyValue {
    guard let position = shape(reference.className).positions[property] else { return .null }
    return values(reference)?[position] ?? .null
  }

  /// The elements of a list or a set.
  func elements(_ reference: Reference, _ property: String) -> [PropertyValue] {
    if case .list(let values) = value(reference, property) { values } else { [] }
  }

  /// The elements of a map.
  func map(_ reference: Reference, _ property: String) -> [String: PropertyValue] {
    if case .map(let values) = value(reference, property) { values } else { [:] }
  }

  /// The objects that link to another by one property, each once.
  func sources(_ className: String, _ property: String, to target: Reference) -> [ObjectID] {
    guard let position = shape(className).positions[property] else { return [] }
    let link = links(to: target)
    return (objects[className] ?? [:]).filter { _, values in
      values[position].contains(link)
    }.keys.sorted { $0.rawValue < $1.rawValue }
  }

  /// What leads to an object: a link of a property that names its class, or of any.
  private func links(to target: Reference) -> [PropertyValue] {
    [
      .link(target.id),
      .object(ObjectReference(classID: shape(target.className).classID, id: target.id)),
    ]
  }

  /// The objects that a value leads to.
  private func targets(of value: PropertyValue, in className: String?) -> [Reference] {
    switch value {
    case .link(let id): [Reference(className: className ?? "", id: id)]
    case .object(let reference):
      [Reference(className: namesByID[reference.classID] ?? "", id: reference.id)]
    case .list(let values): values.flatMap { targets(of: $0, in: className) }
    case .map(let values): values.values.flatMap { targets(of: $0, in: className) }
    default: []
    }
  }

  /// The embedded objects that belong to an object.
  func children(of reference: Reference) -> [Reference] {
    guard let values = values(reference) else { return [] }
    return shape(reference.className).owned
      .flatMap { position, target in targets(of: values[position], in: target) }.sorted()
  }

  /// Whether both hold the same, to the bit.
  func isSame(as other: ObjectOracle) -> Bool { difference(from: other) == nil }

  /// The first difference, or nil.
  func difference(from other: ObjectOracle) -> String? {
    for shape in shapes where ids(shape.name) != other.ids(shape.name) {
      return "\(shape.name) has \(ids(shape.name)) instead of \(other.ids(shape.name))"
    }
    for shape in shapes {
      for (id, values) in objects[shape.name] ?? [:] {
        let expected = other.objects[shape.name]?[id] ?? []
        for (position, property) in shape.properties.enumerated()
        where !values[position].isExactly(expected[position]) {
          return "'\(property.name)' of \(shape.name) \(id) is \(values[position]) instead of "
            + "\(expected[position])"
        }
      }
    }
    return nil
  }
}

// MARK: - Changing

extension ObjectOracle {
  /// Enters a new object.
  mutating func insert(_ reference: Reference, _ values: [PropertyValue]) {
    let properties = shape(reference.className).properties
    objects[reference.className]?[reference.id] =
      zip(properties, values).map { Self.stored($1, $0.type) }
    touched.insert(reference)
  }

  /// A value as its property keeps it.
  private static func stored(_ value: PropertyValue, _ type: PropertyType) -> PropertyValue {
    switch (type, value) {
    case (.set, .list(let values)): .list(values.asSet)
    default: value
    }
  }

  /// Gives a property a value; embedded objects that are no longer led to are removed.
  mutating func set(_ reference: Reference, _ property: String, to value: PropertyValue) {
    let shape = shape(reference.className)
    guard let position = shape.positions[property] else { return }
    let before = children(of: reference)
    objects[reference.className]?[reference.id]?[position] =
      Self.stored(value, shape.properties[position].type)
    touched.insert(reference)
    let kept = Set(children(of: reference))
    for child in before where !kept.contains(child) { remove(child) }
  }

  /// Removes an object, what belongs to it, and every link to any of them.
  mutating func remove(_ reference: Reference) {
    guard exists(reference) else { return }
    let children = children(of: reference)
    objects[reference.className]?[reference.id] = nil
    touched.remove(reference)
    removeLinks(to: reference)
    for child in children { remove(child) }
  }

  mutating func removeAll(_ className: String) {
    for id in ids(className) { remove(Reference(className: className, id: id)) }
  }

  private mutating func removeLinks(to target: Reference) {
    let gone = links(to: target)
    for shape in shapes {
      for (position, linked) in shape.links where linked == nil || linked == target.className {
        let type = shape.properties[position].type
        for (id, values) in objects[shape.name] ?? [:] where values[position].contains(gone) {
          objects[shape.name]?[id]?[position] = Self.stored(
            values[position].removing(gone), type)
          touched.insert(Reference(className: shape.name, id: id))
        }
      }
    }
  }
}

extension PropertyValue {
  /// Whether this is one of several values, or has one inside of it.
  fileprivate func contains(_ wanted: [PropertyValue]) -> Bool {
    switch self {
    case .link, .object: wanted.contains(self)
    case .list(let values): values.contains { $0.contains(wanted) }
    case .map(let values): values.values.contains { $0.contains(wanted) }
    default: false
    }
  }

  /// The value without links: a link becomes nil, or is no longer an element, and an
  /// object in a value of any type becomes nil.
  fileprivate func removing(_ gone: [PropertyValue]) -> PropertyValue {
    switch self {
    case .link, .object: return gone.contains(self) ? .null : self
    case .list(let values):
      return .list(values.filter { !$0.isLink(of: gone) }.map { $0.removing(gone) })
    case .map(let values):
      return .map(
        values.filter { !$0.value.isLink(of: gone) }.mapValues { $0.removing(gone) })
    default: return self
    }
  }

  private func isLink(of gone: [PropertyValue]) -> Bool {
    guard case .link = self else { return false }
    return gone.contains(self)
  }
}
