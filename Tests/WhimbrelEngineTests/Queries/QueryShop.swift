import Foundation
import WhimbrelEngine
import WhimbrelTestSupport

/// A store of products and makers, for tests of how requests are answered.
///
/// `Product` has indexes, and `Plain` has the same objects without any.
struct QueryShop {
  let store: TestStore
  let session: Session

  private static let properties: [PropertySchema] = [
    .required("number", .int), .optional("name", .string), .optional("price", .double),
    .required("count", .int32), .optional("added", .date), .required("isNew", .bool),
    .optional("weight", .decimal), .optional("code", .uuid),
    .link("maker", to: "Maker"), .list("others", .link(to: "Maker")),
  ]

  /// The classes, with an index of each property of products that can have one.
  static let classes = classes(ofProducts: indexed(properties))

  /// The classes, of which products have their properties in a random order, and indexes of
  /// some of them and of some together.
  static func randomClasses(_ generator: inout SeededGenerator) -> [ClassSchema] {
    var properties = indexed(properties).shuffled(using: &generator)
    for place in properties.indices where Bool.random(using: &generator) {
      properties[place].isIndexed = false
    }
    let names = properties.filter(\.type.canBeIndexed).map(\.name)
    let indexes = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
      let count = Int.random(in: 2...4, using: &generator)
      return IndexSchema(Array(names.shuffled(using: &generator).prefix(count)))
    }
    return classes(ofProducts: properties, Array(Set(indexes)))
  }

  private static func classes(
    ofProducts properties: [PropertySchema], _ indexes: [IndexSchema] = []
  ) -> [ClassSchema] {
    [
      ClassSchema(
        "Maker", .key("name", .string),
        PropertySchema(name: "founded", type: .int, isOptional: true, isIndexed: true)),
      ClassSchema(name: "Product", properties: properties, indexes: indexes),
      ClassSchema(name: "Plain", properties: Self.properties),
    ]
  }

  private static func indexed(_ properties: [PropertySchema]) -> [PropertySchema] {
    properties.map { property in
      var property = property
      if property.name == "number" {
        property.isPrimaryKey = true
      } else {
        property.isIndexed = property.type.canBeIndexed && property.type.linkTarget == nil
      }
      return property
    }
  }

  /// - Parameter values: gives the values of the objects.
  init(
    _ count: Int, _ classes: [ClassSchema] = Self.classes,
    _ values: (Int) -> [String: PropertyValue]
  ) throws {
    store = try TestStore(classes) { session in
      for number in 0..<5 {
        let founded: PropertyValue = number == 4 ? .null : .int(Int64(1900 - number))
        try session.create("Maker", ["name": .string("m\(number)"), "founded": founded])
      }
      for number in 0..<count {
        var values = values(number)
        values["number"] = .int(Int64(number))
        for name in ["count", "isNew"] where values[name] == nil {
          values[name] = name == "count" ? 0 : false
        }
        for name in ["Product", "Plain"] { try session.create(name, values) }
      }
    }
    session = try store.session()
  }

  /// The request about products, ready to be answered.
  func query(_ stages: QueryStage...) throws -> BoundQuery { try query(stages) }

  func query(_ stages: [QueryStage], of name: String = "Product") throws -> BoundQuery {
    try BoundQuery(QueryRequest(name, stages), in: session)
  }

  /// The numbers of the products, which count from 0 in the order of the object IDs.
  func numbers(_ stages: QueryStage..., of name: String = "Product") throws -> [Int] {
    let table = try session.table(name)
    let position = try table.resolved.requiredPosition(of: "number")
    return try query(stages, of: name).objectIDs().map { id in
      guard let record = try table.record(id),
        case .int(let number) = try table.value(position, of: record, id)
      else { return -1 }
      return Int(number)
    }
  }
}

extension QueryCondition {
  /// A property compared with a value.
  static func test(
    _ name: String, _ comparison: QueryComparison, _ value: PropertyValue
  ) -> QueryCondition {
    .compare(.property(QueryPath(name)), comparison, .constant(value), [])
  }

  static func test(_ name: String, isIn values: [PropertyValue]) -> QueryCondition {
    .isIn(.property(QueryPath(name)), values, [])
  }
}

extension QueryStage {
  static func sort(_ names: String..., ascending: Bool = true) -> QueryStage {
    .sort(names.map { QuerySortKey(QueryPath($0), isAscending: ascending) })
  }
}
