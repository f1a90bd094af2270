import WhimbrelEngine
import WhimbrelTestSupport

/// Random scripts of operations on persons, dogs and what belongs to them.
struct DeletionScript {
  var generator: SeededGenerator
  /// All objects that there are or were.
  var places: [ScriptPlace] = []
  var steps: [ScriptStep] = []

  private static let types: [String: [(name: String, type: PropertyType)]] = [
    "Dog": [("friend", .link(to: "Dog")), ("thing", .any)],
    "Kennel": [("dogs", list("Dog")), ("chief", .link(to: "Dog")), ("any", .any)],
    "Person": [
      ("dog", .link(to: "Dog")), ("dogs", list("Dog")), ("dogSet", set(.link(to: "Dog"))),
      ("dogMap", map(.link(to: "Dog"))), ("any", .any), ("anyList", .list(of: ElementType(.any))),
      ("anySet", set(.any)), ("anyMap", map(.any)), ("home", .link(to: "Address")),
      ("homes", list("Address")), ("homeMap", map(.link(to: "Address"))),
    ],
    "Address": [
      ("part", .link(to: "Part")), ("parts", list("Part")), ("dog", .link(to: "Dog")),
      ("note", .any),
    ],
    "Part": [("dog", .link(to: "Dog")), ("dogs", list("Dog"))],
  ]
  static let names = ["Dog", "Kennel", "Person", "Address", "Part"]
  private static let embedded = ["Address", "Part"]

  private static func list(_ name: String) -> PropertyType {
    .list(of: ElementType(.link(to: name)))
  }
  private static func set(_ type: PropertyType) -> PropertyType { .set(of: ElementType(type)) }
  private static func map(_ type: PropertyType) -> PropertyType { .map(of: ElementType(type)) }

  /// - Parameter converted: the classes whose number is text now.
  static func schema(converting converted: Set<String> = []) -> [ClassSchema] {
    names.map { name in
      let number = PropertySchema.required("number", converted.contains(name) ? .string : .int)
      let key = name == "Kennel" ? [PropertySchema.key("key")] : []
      return ClassSchema(
        name: name, isEmbedded: embedded.contains(name),
        properties: key + [number]
          + (types[name] ?? []).map { PropertySchema(name: $0.name, type: $0.type) })
    } + [ClassSchema("Root", .key("key"), .list("all", .any))]
  }

  /// The properties that may lead to objects of a class.
  static func sources(of target: String) -> [(String, String)] {
    names.flatMap { name in
      (types[name] ?? []).filter { property in
        let type = property.type.elementType?.type ?? property.type
        return type.linkTarget == target || type == .any && !embedded.contains(target)
      }.map { (name, $0.name) }
    }
  }

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// The objects of a class that are there.
  func living(_ className: String, in world: some ScriptWorld) -> [ScriptPlace] {
    places.filter { $0.className == className && (try? world.object($0).value("number")) != nil }
  }

  private mutating func chance(_ n: Int) -> Bool { generator.once(in: n) }
}

// MARK: - Values

extension DeletionScript {
  private mutating func number(of className: String, in world: some ScriptWorld) -> PropertyValue {
    let number = Int64.random(in: 0...99, using: &generator)
    return world.textClasses.contains(className) ? .string("\(number)") : .int(number)
  }

  private mutating func link(to className: String, in world: some ScriptWorld) -> PropertyValue {
    living(className, in: world).randomElement(using: &generator).map { .link($0.id) } ?? .null
  }

  private mutating func links(in world: some ScriptWorld, _ most: Int = 5) -> [PropertyValue] {
    (0..<Int.random(in: 0...most, using: &generator)).map { _ in link(to: "Dog", in: world) }
      .filter { $0 != .null }
  }

  private mutating func any(in world: some ScriptWorld, depth: Int = 0) throws -> PropertyValue {
    switch Int.random(in: 0..<(depth > 2 ? 4 : 6), using: &generator) {
    case 0: return .null
    case 1: return .int(Int64.random(in: 0...3, using: &generator))
    case 2, 3:
      let name = ["Dog", "Kennel", "Person"].randomElement(using: &generator) ?? "Dog"
      guard let place = living(name, in: world).randomElement(using: &generator) else {
        return .null
      }
      return try world.object(place).reference
    case 4:
      return .list(
        try (0..<Int.random(in: 0...3, using: &generator)).map { _ in
          try any(in: world, depth: depth + 1)
        })
    default:
      var values: [String: PropertyValue] = [:]
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        values[key()] = try any(in: world, depth: depth + 1)
      }
      return .map(values)
    }
  }

  private mutating func key() -> String {
    ["a", "b", "c", "d"].randomElement(using: &generator) ?? "a"
  }

  /// Creates an embedded object with what belongs to it.
  private mutating func child(
    _ className: String, in world: inout some ScriptWorld
  ) throws -> PropertyValue {
    var values = ["number": number(of: className, in: world), "dog": link(to: "Dog", in: world)]
    if className == "Address" {
      if chance(2) { values["part"] = try child("Part", in: &world) }
      var parts: [PropertyValue] = []
      while chance(2) { parts.append(try child("Part", in: &world)) }
      values["parts"] = .list(parts)
      values["note"] = try any(in: world)
    } else {
      values["dogs"] = .list(links(in: world))
    }
    return .link(try perform(.create(className, values), in: &world)?.id ?? ObjectID(rawValue: 0))
  }

  /// Carries out an operation, and keeps it in mind.
  @discardableResult
  private mutating func perform(
    _ step: ScriptStep, in world: inout some ScriptWorld
  ) throws -> ScriptPlace? {
    let created = try world.run(step)
    steps.append(step)
    if let created { places.append(created) }
    return created
  }
}

// MARK: - Steps

extension DeletionScript {
  /// Fills a store.
  mutating func fill(_ world: inout some ScriptWorld) throws {
    for name in [
      "Dog", "Dog", "Dog", "Dog", "Kennel", "Person", "Person", "Dog", "Person", "Kennel",
    ] { try create(name, in: &world) }
    for _ in 0..<25 { try change(&world) }
  }

  private mutating func create(_ className: String, in world: inout some ScriptWorld) throws {
    var values = ["number": number(of: className, in: world)]
    switch className {
    case "Dog": values["friend"] = link(to: "Dog", in: world)
    case "Kennel":
      values["key"] = .int(Int64(places.count))
      values["dogs"] = .list(links(in: world, chance(3) ? 300 : 5))
    default:
      values["dogs"] = .list(links(in: world))
      values["dogSet"] = .list(links(in: world))
      values["any"] = try any(in: world)
      values["homes"] = .list(chance(2) ? [] : [try child("Address", in: &world)])
    }
    try perform(.create(className, values), in: &world)
  }

  /// Carries out a random operation.
  mutating func step(_ world: inout some ScriptWorld) throws {
    switch Int.random(in: 0..<20, using: &generator) {
    case 0..<6:
      let name = Self.names.randomElement(using: &generator) ?? "Dog"
      if let place = living(name, in: world).randomElement(using: &generator) {
        try perform(.delete(place), in: &world)
      }
    case 6:
      try create(["Dog", "Person", "Kennel"].randomElement(using: &generator) ?? "Dog", in: &world)
    case 7 where chance(3):
      try perform(.deleteAll(Self.names.randomElement(using: &generator) ?? "Dog"), in: &world)
    default: try change(&world)
    }
  }

  /// Changes a random property of a random object.
  private mutating func change(_ world: inout some ScriptWorld) throws {
    let name = Self.names.randomElement(using: &generator) ?? "Person"
    guard let place = living(name, in: world).randomElement(using: &generator),
      let property = Self.types[name]?.randomElement(using: &generator)
    else { return }
    let element = property.type.elementType?.type ?? property.type
    func value(_ script: inout DeletionScript, _ world: inout some ScriptWorld) throws
      -> PropertyValue
    {
      switch element {
      case .any: try script.any(in: world)
      case .link(let target) where Self.embedded.contains(target):
        try script.child(target, in: &world)
      case .link(let target): script.link(to: target, in: world)
      default: .null
      }
    }
    func isWrong(_ value: PropertyValue) -> Bool { value == .null && element != .any }
    let number = Int.random(in: 0..<6, using: &generator)
    switch property.type {
    case .list:
      let count = try world.object(place).list(property.name).count()
      if count > 0, number < 3 {
        let position = Int.random(in: 0..<count, using: &generator)
        if number == 0 { try perform(.remove(place, property.name, position), in: &world) }
        if number == 1 { try perform(.move(place, property.name, position, 0), in: &world) }
        if number == 2 {
          let new = try value(&self, &world)
          if !isWrong(new) {
            try perform(.replace(place, property.name, new, position), in: &world)
          }
        }
      } else if number == 5, chance(3) {
        try perform(.removeAll(place, property.name), in: &world)
      } else {
        let new = try value(&self, &world)
        if isWrong(new) { return }
        if number == 4 {
          try perform(.insert(place, property.name, new, 0), in: &world)
        } else {
          try perform(.append(place, property.name, new), in: &world)
        }
      }
    case .set:
      let new = try value(&self, &world)
      if isWrong(new) { return }
      try perform(
        number == 0 ? .setRemove(place, property.name, new) : .setInsert(place, property.name, new),
        in: &world)
    case .map:
      let key = key()
      if number < 2 { return _ = try perform(.mapRemove(place, property.name, key), in: &world) }
      let new = try value(&self, &world)
      if !isWrong(new) { try perform(.mapSet(place, property.name, new, key), in: &world) }
    default:
      let new = number == 0 ? .null : try value(&self, &world)
      try perform(.set(place, property.name, new), in: &world)
    }
  }
}
