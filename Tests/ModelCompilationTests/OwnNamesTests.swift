import Testing
import WhimbrelTestSupport

/// An app's types, and those of modules that it imports beside Whimbrel, keep their names.
///
/// What an app declares hides what it imports: the code that the macros make names everything with
/// its module. When two modules declare a name, a file that imports both can use neither without
/// its module: Whimbrel declares no type with the name of one in SwiftUI, MapKit and their like.
@Suite(.serialized) struct OwnNamesTests {
  /// Types of an app with names that are also in Whimbrel, or that the code of the macros uses.
  private static let ownTypes = """
    struct List<Element: Codable & Swift.Hashable & Sendable>: PersistableCodable {
      var elements: [Element] = []
    }
    struct Map<Key, Value> { var key: Key?, value: Value? }
    struct Schema { var version = 7 }
    struct Query<Value> { var value: Value }
    struct Index { var position = 3 }
    struct Section { var title = "section" }
    struct Results {}
    struct Migration {}
    struct ModelRow {}
    struct ModelSchema {}
    struct ModelProperty {}
    struct ModelInverse {}
    struct ObjectEncoder {}
    struct ObjectIdentity {}
    struct KeyPath {}
    protocol CollectionElement {}
    protocol ModelValue {}
    protocol Persistable {}
    protocol Hashable {}
    protocol Identifiable {}
    protocol TextOutputStreamable {}
    enum Optional<Wrapped> { case nothing(Wrapped) }
    enum ModelKind { case other }
    enum IndexKind { case other }
    func fatalError() {}
    """

  private static let models = """
    @Model
    @Index([\\.name, \\.born])
    final class Person {
      @PrimaryKey var id: Int
      @Indexed(.unique) var name: String
      var born: Date?
      var kept: App.List<Int> = List(elements: [1, 2])
      var home: Home?
      var dogs: StoredList<Dog>
      var nicknames: StoredSet<String>
      var byName: StoredMap<String, Dog>
      var anything: AnyValue
      @Transient var map = Map<String, Int>()
      var query: Query<Int> { Query(value: nicknames.count) }
    }
    @Model final class Dog {
      enum Optional: String, PersistableEnum { case maybe, never }
      var name: String
      @Indexed var ID: Int = 0
      var mood: Optional = .never
      var other: Optional?
      @Inverse(of: \\Person.dogs) var owners: LinkingObjects<Person>
    }
    @Model(.embedded) final class Home { var title: String = Section().title }
    """

  private static let program = """
    @main enum Main {
      static func main() throws {
        let store = try Store(
          .init(inMemory: "names", models: [Person.self, Dog.self, Home.self]))
        try store.write {
          let dog = Dog(name: "Rex", mood: .maybe)
          let person = Person(id: 1, name: "Ann", home: Home(), dogs: [dog])
          person.nicknames.insert("A")
          person.byName["rex"] = dog
          try store.add(person)
        }
        for person in store.objects(Person.self).where({ $0.dogs.name == "Rex" }) {
          print(
            person.kept.elements, person.home?.title ?? "-", person.dogs[0].mood,
            person.byName["rex"]?.owners.count ?? 0, person.query.value,
            Schema().version, Index().position, person.map.key ?? "none")
        }
      }
    }
    """

  @Test(.takesLong, arguments: [Compiler.Mode.debug, .strict, .release])
  func `an app's own types hide those of the library`(mode: Compiler.Mode) throws {
    let texts = ["import Foundation\nimport Whimbrel", Self.ownTypes, Self.models, Self.program]
    let outcome = try Compiler.run(
      [.init(name: "App.swift", text: texts.joined(separator: "\n\n"))], mode)
    #expect(outcome.output == "[1, 2] section maybe 1 1 7 3 none\n")
    #expect(outcome.succeeded)
  }

  private static let modelNames = [
    "Schema", "Query", "List", "Map", "Set", "Index", "Section", "Results", "Store", "Migration",
    "Model", "Persistable", "Optional", "ModelRow", "StoreError", "QueryValue", "StoredList",
  ]

  @Test(.takesLong) func `a model may have the name of a type of the library`() throws {
    let models = Self.modelNames.enumerated().map { number, name in
      let next = Self.modelNames[(number + 1) % Self.modelNames.count]
      return """
        @Model @Index([\\.name, \\.next]) final class \(name) {
          @PrimaryKey var name: String
          var next: \(next)?
          var all: Whimbrel.StoredList<\(name)>
          var text: String? = nil
          @Inverse(of: \\\(name).all) var owners: Whimbrel.LinkingObjects<\(name)>
        }
        """
    }
    let first = Self.modelNames[0]
    let program = """
      @main enum Main {
        static func main() throws {
          let store = try Whimbrel.Store(
            .init(
              inMemory: "names",
              models: [\(Self.modelNames.map { "\($0).self" }.joined(separator: ", "))]))
          try store.write {
            let object = \(first)(name: "a", next: \(Self.modelNames[1])(name: "b"))
            try store.add(object)
            object.all.append(object)
          }
          let found = store.objects(\(first).self).where { $0.next.name == "b" }
          print(found.count, found[0].owners.count, store.schema.classes.count)
        }
      }
      """
    let text = (["import Whimbrel"] + models + [program]).joined(separator: "\n\n")
    let outcome = try Compiler.run([.init(name: "App.swift", text: text)])
    #expect(outcome.output == "1 1 \(Self.modelNames.count)\n")
  }

  /// Types of SwiftUI, MapKit, RegexBuilder, Observation, Foundation, SwiftData and Combine, and
  /// what packages with databases call theirs.
  private static let namesElsewhere = [
    "Anchor", "Association", "Attribute", "Binding", "Capture", "Chart", "Column", "Configuration",
    "Context", "Cursor", "Database", "DatabaseMigrator", "DynamicProperty", "Entity", "Environment",
    "Expression", "Field", "Form", "Group", "Index", "Item", "Key", "Link", "List", "Local", "Map",
    "MapKey", "Marker", "Namespace", "Observable", "One", "Predicate", "Property", "Query",
    "QueryExpression", "Record", "Reference", "Relationship", "Request", "Row", "Schema", "Section",
    "Statement", "State", "Table", "Token", "Transaction", "TransactionObserver", "Transition",
    "Value", "ValueObservation",
  ]

  @Test func `a type of another module keeps its name`() throws {
    let views = Self.namesElsewhere.map { "public struct \($0) { public init() {} }" }
    // In an expression the compiler chooses the type that fits: where a type is due, it must not
    // have to choose.
    let uses = Self.namesElsewhere.map { "      .init() as \($0)," }.joined(separator: "\n")
    let text = """
      import Views
      import Whimbrel

      @Model final class Zone {
        @PrimaryKey var name: String
        @Indexed var area: Int = 1
        var neighbors: StoredList<Zone>
        var tags: StoredSet<String>
        var spellings: StoredMap<String, String>
        @Inverse(of: \\Zone.neighbors) var others: LinkingObjects<Zone>
      }

      func isNorthern(_ zone: QueryValue<Zone>) -> QueryValue<Bool> { zone.area > 0 }

      @main enum Main {
        static func main() throws {
          let store = try Store(.init(inMemory: "zones", models: [Zone.self]))
          try store.write { try store.add(Zone(name: "UTC", tags: ["a"], spellings: ["en": "UTC"])) }
          let all: [Any] = [
      \(uses)
          ]
          print(store.objects(Zone.self).where(isNorthern).count, all.count)
        }
      }
      """
    let outcome = try Compiler.run(
      [.init(name: "App.swift", text: text)],
      importing: [.init(name: "Views.swift", text: views.joined(separator: "\n"))])
    #expect(outcome.output == "1 \(Self.namesElsewhere.count)\n")
  }

  /// The names in Whimbrel that other packages have too: a file that imports both writes the module
  /// before the types, and the attributes as ever.
  @Test func `an attribute keeps its meaning beside a type of another module`() throws {
    let names = ["Store", "Results", "Migration", "Persistable", "Index", "Transient", "Inverse"]
    let module =
      names.map { "public struct \($0) { public init() {} }" } + ["public protocol Model {}"]
    let text = """
      import Architecture
      import Whimbrel

      @Model @Index([\\.name, \\.number]) final class Zone {
        @PrimaryKey var name: String
        var number: Int = 1
        var neighbors: StoredList<Zone>
        @Transient var label = ""
        @Inverse(of: \\Zone.neighbors) var others: LinkingObjects<Zone>
      }

      @main enum Main {
        static func main() throws {
          let store = try Whimbrel.Store(.init(inMemory: "zones", models: [Zone.self]))
          try store.write { try store.add(Zone(name: "UTC")) }
          let zones: Whimbrel.Results<Zone> = store.objects(Zone.self)
          print(zones.count, Architecture.Store())
        }
      }
      """
    let outcome = try Compiler.run(
      [.init(name: "App.swift", text: text)],
      importing: [.init(name: "Architecture.swift", text: module.joined(separator: "\n"))])
    #expect(outcome.output == "1 Store()\n")
  }
}
