import WhimbrelTestSupport

/// Models that link to each other at random, of every kind of property.
struct ModelGraph {
  /// What a property holds one of, or many.
  enum Content {
    /// A value, spelled as its type.
    case value(String)
    /// An object of the model at a position.
    case object(Int)
  }

  enum Shape: CaseIterable {
    case single
    case optional
    case list
    case set
    case map
  }

  struct Property {
    let name: String
    let content: Content
    let shape: Shape
    /// The default value as it is spelled, or nil.
    let defaultValue: String?
    var isPrimaryKey = false
    var isIndexed = false
  }

  /// The objects that link here.
  struct Inverse {
    let name: String
    let source: Int
    let property: String
  }

  struct Model {
    /// The name as the other models spell it: one in a namespace has a dot in it.
    let name: String
    let isEmbedded: Bool
    var properties: [Property] = []
    var inverses: [Inverse] = []
    /// The properties of an `@Index`.
    var index: [String] = []
  }

  private(set) var models: [Model] = []
  /// Whether the models are those of a library.
  let isPublic: Bool

  /// Makes a graph of a seed.
  init(_ random: inout SeededGenerator) {
    isPublic = random.happens(percent: 25)
    var names = ["Dog", "Person", "Book", "Position", "Tree", "City", "Track", "Note", "Trip"]
    names.shuffle(using: &random)
    for name in names.prefix(Int.random(in: 2...6, using: &random)) {
      let isNested = random.happens(percent: 20)
      models.append(
        Model(
          name: isNested ? "Space\(name).\(name)" : name,
          isEmbedded: random.happens(percent: 25)))
    }
    for position in models.indices { addProperties(to: position, &random) }
    for position in models.indices { addInverses(of: position, &random) }
  }

  private static let values: [(type: String, defaultValue: String)] = [
    ("Int", "7"), ("Int8", "-3"), ("UInt32", "9"), ("String", "\"text\""), ("Double", "2.5"),
    ("Float", "0.5"), ("Bool", "true"), ("Date", "Date()"), ("UUID", "UUID()"),
    ("Data", "Data([1, 2])"), ("Decimal", "12"), ("ObjectId", "ObjectId.generate()"),
    ("Mood", ".calm"), ("Address", "Address(street: \"a\")"), ("URL", "URL(filePath: \"/\")"),
  ]

  private mutating func addProperties(to position: Int, _ random: inout SeededGenerator) {
    if !models[position].isEmbedded, random.happens(percent: 50) {
      models[position].properties.append(
        Property(
          name: "key", content: .value("String"), shape: .single, defaultValue: nil,
          isPrimaryKey: true))
    }
    for number in 0..<Int.random(in: 1...6, using: &random) {
      models[position].properties.append(property("property\(number)", &random))
    }
    let indexable = models[position].properties.filter(\.isIndexable).map(\.name)
    if indexable.count > 1, random.happens(percent: 40) {
      models[position].index = Array(indexable.prefix(3))
    }
  }

  private func property(_ name: String, _ random: inout SeededGenerator) -> Property {
    let shape = Shape.allCases.randomElement(using: &random) ?? .single
    if random.happens(percent: 60) {
      let target = Int.random(in: models.indices, using: &random)
      // A link is always optional, and a set cannot own its elements.
      let isOwner = models[target].isEmbedded
      let allowed: Shape = shape == .single ? .optional : isOwner && shape == .set ? .list : shape
      return Property(name: name, content: .object(target), shape: allowed, defaultValue: nil)
    }
    let (type, defaultValue) = Self.values.randomElement(using: &random) ?? ("Int", "0")
    let hasDefault = shape == .single && random.happens(percent: 40)
    let isIndexed =
      shape == .single && ["Int", "String", "Date", "Mood"].contains(type)
      && random.happens(percent: 30)
    return Property(
      name: name, content: .value(type), shape: shape,
      defaultValue: hasDefault ? defaultValue : nil, isIndexed: isIndexed)
  }

  private mutating func addInverses(of source: Int, _ random: inout SeededGenerator) {
    for property in models[source].properties {
      guard case .object(let target) = property.content, random.happens(percent: 60) else {
        continue
      }
      let name = "inverse\(models[target].inverses.count)"
      models[target].inverses.append(
        Inverse(name: name, source: source, property: property.name))
    }
  }
}

extension ModelGraph.Property {
  /// Whether an index of several properties may have this one.
  fileprivate var isIndexable: Bool {
    guard shape == .single || shape == .optional else { return false }
    switch content {
    case .value(let type): return ["Int", "String", "Date", "Double"].contains(type)
    case .object: return shape == .optional
    }
  }
}

extension SeededGenerator {
  /// Whether something happens that happens so often in a hundred times.
  mutating func happens(percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}
