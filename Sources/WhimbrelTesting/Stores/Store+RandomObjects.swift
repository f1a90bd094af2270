internal import Foundation
public import Whimbrel
internal import WhimbrelEngine

extension Store {
  /// Adds objects with random values, to test code that must handle any data.
  ///
  /// ```swift
  /// let store = try Store.temporary(Zone.self, Country.self)
  /// try store.write {
  ///   try store.addRandomObjects(of: Country.self, 20, seed: 1)
  ///   try store.addRandomObjects(of: Zone.self, 100, seed: 2)
  /// }
  /// ```
  ///
  /// The values include nil, empty collections and texts, long texts, texts that are not
  /// ASCII, and the limits of integers. Primary keys and the values of unique indexes
  /// differ from one another and from those in the store. An enum gets one of its cases. A link is nil or leads to an object that
  /// already exists, possibly of the same class. Embedded objects are created with their
  /// owners. The same seed adds the same objects to the same store.
  ///
  /// - Parameters:
  ///   - model: The class of the objects.
  ///   - count: The number of objects.
  ///   - seed: The seed of the random values.
  ///   - adjust: Changes the values of an object, by property name. Use it where a type
  ///     accepts only some of the stored values: a `URL` does not accept every text.
  /// - Returns: The objects.
  /// - Throws: `StoreError`, with `notInWrite` outside of a write.
  @discardableResult
  public func addRandomObjects<Element: Model>(
    of model: Element.Type, _ count: Int, seed: UInt64,
    adjusting adjust: (
      _ values: inout [String: Any], _ random: inout SeededGenerator
    ) throws -> Void = { _, _ in }
  ) throws -> [Element] {
    var maker = RandomObjects(self, seed: seed)
    return try (0..<count).map { _ in
      var values = try maker.values(of: model._$schema.name)
      try adjust(&values, &maker.values.random)
      let object = try create(model, value: values)
      maker.note(object)
      return object
    }
  }
}

private struct RandomObjects {
  let store: Store
  var values: RandomValues
  /// The objects that links may lead to, by class.
  private var targets: [String: [ObjectID]] = [:]
  /// The values of properties that are unique.
  private var used: [Place: Set<PropertyValue>] = [:]

  /// A property of a class.
  private struct Place: Hashable {
    var className: String
    var position: Int
  }

  /// The limit on the nesting of embedded objects.
  private static let depthLimit = 3

  init(_ store: Store, seed: UInt64) {
    self.store = store
    values = RandomValues(seed: seed)
  }

  mutating func values(of className: String, depth: Int = 0) throws -> [String: Any] {
    let table = try store.session.table(className)
    var result: [String: Any] = [:]
    for (position, property) in table.resolved.properties.enumerated() {
      let isUnique = table.resolved.indexes.contains {
        $0.kind == .unique && Self.distinctPosition(of: $0, in: table) == position
      }
      if property.isPrimaryKey || isUnique {
        result[property.name] = try unused(position, of: table)
      } else if let value = try value(of: property, depth: depth) {
        result[property.name] = value
      }
    }
    return result
  }

  /// Returns the position whose values make the entries of a unique index differ: the last one of a
  /// type with many values, if there is one. It is nil if all properties are links.
  private static func distinctPosition(of index: ResolvedIndex, in table: ClassTable) -> Int? {
    let properties = table.resolved.properties
    let values = index.positions.filter { properties[$0].type.linkedClass == nil }
    return values.last { properties[$0].cases == nil && properties[$0].type != .bool }
      ?? values.last
  }

  /// Returns a value that no object has in a property.
  private mutating func unused(_ position: Int, of table: ClassTable) throws -> PropertyValue {
    let place = Place(className: table.name, position: position)
    var known = try used.removeValue(forKey: place) ?? table.values(position)
    let property = table.resolved.properties[position]
    var value = values.unique(property.type, cases: property.cases)
    // A type with few values runs out of them: creating the object then throws.
    var attempts = 0
    while attempts <= known.count, known.contains(value) {
      value = values.unique(property.type, cases: property.cases)
      attempts += 1
    }
    known.insert(value)
    used[place] = known
    return value
  }

  private mutating func value(of property: CatalogProperty, depth: Int) throws -> Any? {
    if property.isOptional, values.happens(onceIn: 4) { return PropertyValue.null }
    switch property.type {
    case .link(let target): return try link(to: target, depth: depth)
    case .list(let element), .set(let element):
      return try (0..<values.random.exampleCount()).compactMap { _ in
        try self.element(element, property.cases, depth)
      }
    case .map(let element):
      var elements: [String: Any] = [:]
      for number in 0..<values.random.exampleCount() {
        if let value = try self.element(element, property.cases, depth) {
          elements["key \(number)"] = value
        }
      }
      return elements
    default: return values.scalar(property.type, cases: property.cases)
    }
  }

  private mutating func element(
    _ element: ElementType, _ cases: [String]?, _ depth: Int
  ) throws -> Any? {
    if element.isOptional, values.happens(onceIn: 4) { return PropertyValue.null }
    if case .link(let target) = element.type { return try link(to: target, depth: depth) }
    return values.scalar(element.type, cases: cases)
  }

  /// Returns a link to an existing object, the values of an embedded object, or nil.
  private mutating func link(to className: String, depth: Int) throws -> Any? {
    let table = try store.session.table(className)
    if table.resolved.isEmbedded {
      return depth < Self.depthLimit ? try values(of: className, depth: depth + 1) : nil
    }
    let known = try targets[className] ?? table.objectIDs()
    targets[className] = known
    return known.randomElement(using: &values.random).map { PropertyValue.link($0) }
  }

  /// Lets later links lead to an object.
  mutating func note<Element: Model>(_ object: Element) {
    if let id = object.objectID { targets[Element._$schema.name]?.append(id) }
  }
}

extension ClassTable {
  /// Returns the values that objects have in a property.
  fileprivate func values(_ position: Int) throws -> Set<PropertyValue> {
    var values: Set<PropertyValue> = []
    try forEachRecord { id, record in values.insert(try value(position, of: record, id)) }
    return values
  }
}
