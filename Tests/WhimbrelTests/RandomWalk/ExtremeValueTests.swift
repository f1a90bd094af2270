import Foundation
import Testing
import Whimbrel
import WhimbrelTestSupport

/// What the random walk is too short for, and what it may not happen to come to.
@Suite struct ExtremeValueTests {
  private let folder: URL
  private let configuration: Store.Configuration

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "whimbrel-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var configuration = Store.Configuration(
      url: folder.appending(path: "Extremes.whimbrel"), models: Walk.models)
    configuration.durability = .relaxed
    self.configuration = configuration
  }

  /// Writes with one store, and reads with another.
  private func roundTrip(
    _ write: (Store) throws -> Void, _ read: (Store) throws -> Void
  ) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Store(configuration)
    try store.write { try write(store) }
    try read(store)
    try store.close()
    let again = try Store(configuration)
    try read(again)
    #expect(try IntegrityCheck.run(again.session) == [])
    try again.close()
  }

  private static func extremes(_ type: PropertyType) -> [PropertyValue] {
    if let bounds = type.integerBounds {
      return [bounds.lowerBound, bounds.upperBound, 0, 1].map { .int($0) }
    }
    switch type {
    case .bool: return [true, false]
    case .float: return WalkValues.floats.map { .float($0) }
    case .double: return WalkValues.doubles.map { .double($0) }
    case .string: return WalkValues.texts.map { .string($0) }
    case .data: return [Data(), Data([0]), Data([0xFF, 0, 0xFF])].map { .data($0) }
    case .date: return WalkValues.dates.map { .date($0) }
    case .decimal: return WalkValues.decimals.map { .decimal($0) }
    case .uuid:
      let texts = [
        "00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
        "80000000-0000-0000-0000-000000000001",
      ]
      return texts.compactMap(UUID.init).map { .uuid($0) }
    case .objectId:
      let texts = ["000000000000000000000000", "ffffffffffffffffffffffff"]
      return texts.compactMap(ObjectId.init).map { .objectId($0) }
    default: return []
    }
  }

  @Test func `every property keeps its extremes, and finds them by its index`() throws {
    var expected: [(property: String, value: PropertyValue, id: ObjectID)] = []
    try roundTrip({ store in
      for property in Walk.Scalars._$schema.classSchema.properties where property.cases == nil {
        for value in Self.extremes(property.type) + (property.isOptional ? [.null] : []) {
          let object = try store.dynamicCreate("Scalars", [property.name: value])
          expected.append((property.name, value, object.id))
        }
      }
    }) { store in
      let objects = try StoredObjects(store.session, "Scalars")
      let table = try store.session.table("Scalars")
      for (property, value, id) in expected {
        let found = try objects.object(id).value(property)
        #expect(found.isExactly(value), "\(property): \(found) instead of \(value)")
        let position = try table.resolved.requiredPosition(of: property)
        guard table.resolved.properties[position].isIndexed else { continue }
        #expect(try table.find(position, equalTo: value).contains(id), "\(property): \(value)")
      }
    }
  }

  @Test(arguments: [
    PropertyType.bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectId,
  ])
  func `a value of any type keeps its extremes, alone and inside of others`(
    type: PropertyType
  ) throws {
    let values = Self.extremes(type)
    let list = PropertyValue.list(values + [.list(values), .null])
    let map = PropertyValue.map(["\u{0}": list, "\u{301}": .list([]), "e": .map([:])])
    try roundTrip({ store in
      for value in values + [list, map] {
        try store.dynamicCreate("Tagged", ["any": value])
      }
    }) { store in
      let found = try store.dynamicObjects("Tagged").map { try $0.value("any") }
      #expect(PropertyValue.list(found).isExactly(.list(values + [list, map])))
    }
  }

  @Test func `sets keep their extremes in order, and each once`() throws {
    let properties = Walk.Bag._$schema.classSchema.properties.filter {
      if case .set = $0.type { true } else { false }
    }
    try roundTrip({ store in
      let values = properties.map { property in
        let type = property.type.elementType?.type ?? .any
        return (property.name, PropertyValue.list(Self.extremes(type).reversed()))
      }
      try store.dynamicCreate("Bag", Dictionary(uniqueKeysWithValues: values))
    }) { store in
      let bag = try #require(try store.dynamicObjects("Bag").first)
      for property in properties {
        let values = Self.extremes(property.type.elementType?.type ?? .any)
        let expected = PropertyValue.list(Array(values.reversed()).asSet)
        #expect(try bag.value(property.name).isExactly(expected), "\(property.name)")
        for value in values { #expect(try bag.set(property.name).contains(value)) }
      }
    }
  }

  @Test(.takesLong) func `texts and data of 10 MB come back, wherever they are`() throws {
    let text = String(repeating: "0123456789abcde\u{E9}", count: 600_000)
    let data = Data((0..<10_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    try roundTrip({ store in
      try store.dynamicCreate("Scalars", ["optionalString": .string(text), "data": .data(data)])
      try store.dynamicCreate(
        "Bag",
        ["strings": .list(["a", .string(text)]), "texts": .map(["text": .string(text)])])
      try store.dynamicCreate("Tagged", ["any": .list([.data(data), .string(text)])])
    }) { store in
      let scalars = try #require(store.objects(Walk.Scalars.self).first)
      #expect(scalars.optionalString.map { $0.isExactly(text) } == true)
      #expect(scalars.data == data)
      let bag = try #require(store.objects(Walk.Bag.self).first)
      #expect(bag.strings[1].isExactly(text) && bag.strings.count == 2)
      #expect(bag.texts["text"].map { $0.isExactly(text) } == true)
      let any = try #require(store.objects(Walk.Tagged.self).first).any
      #expect(any.propertyValue.isExactly(.list([.data(data), .string(text)])))
    }
  }
}
