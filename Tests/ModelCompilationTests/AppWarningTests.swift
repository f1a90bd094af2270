import Testing
import WhimbrelTestSupport

/// The log of an app's build has no warning of code that the macros make, however strict the app is.
@Suite(.serialized) struct AppWarningTests {
  private static let models = """
    import Foundation
    public import Whimbrel

    enum Size: String, PersistableEnum { case small, big }
    struct Address: PersistableCodable { var street = "" }
    @Model final class Dog {
      @PrimaryKey var id: Int
      var name: String
      @Indexed var size: Size = Size.small
      @StoredName("good boy") var isGood: Bool = true
      var born: Date?
      var photo: Data?
      var owner: Person?
      private var secret: String = ""
      @Inverse(of: \\Person.dogs) var owners: LinkingObjects<Person>
      @Transient var cache: Int = 0
      @available(*, deprecated) var breed: String
      @available(*, deprecated, message: "Use 'nicknames'.") var names: StoredList<String>
    }
    @Model(renamedFrom: "Human")
    @Index([\\.name, \\.age])
    public final class Person {
      public var name: String
      @Renamed(from: "years") public var age: Int = 18
      var dogs: StoredList<Dog>
      var nicknames: StoredSet<String>
      var byName: StoredMap<String, Dog>
      var anything: AnyValue
      var home: Home?
      var address: Address?
    }
    @Model(.embedded) final class Home { var street: String; var rooms: StoredList<Int> }
    """

  // In the Swift 5 mode, each property had a warning that its key path is not Sendable.
  @Test(.takesLong, arguments: [Compiler.Mode.debug, .release, .strict, .mainActor, .swift5])
  func `models compile without a warning`(mode: Compiler.Mode) throws {
    try expectCompiles([.init(name: "Models.swift", text: Self.models)], mode)
  }

  /// The article *Declaring models* says so. Without the import, generated code does not compile.
  @Test func `public models of a module with library evolution need an import`() throws {
    let models = "import Observation\n" + Self.models
    try expectCompiles([.init(name: "Models.swift", text: models)], .evolution)
  }

  /// The article *Using threads, tasks and actors* says what must be nonisolated.
  @Test(arguments: [Compiler.Mode.debug, .mainActor])
  func `models use what is not isolated in a module of the main actor`(mode: Compiler.Mode) throws {
    let text = """
      import Whimbrel

      nonisolated protocol Named { var name: String { get } }
      nonisolated func untitled() -> String { "untitled" }
      @Model final class Country: Named {
        @PrimaryKey var code: String
        var name: String = untitled()
        func rename() { name = untitled() }
      }
      nonisolated extension Country: Codable {}
      nonisolated extension Country: Comparable {
        static func < (left: Country, right: Country) -> Bool { left.name < right.name }
      }
      nonisolated func rename(_ country: Country) { country.rename() }
      """
    try expectCompiles([.init(name: "Models.swift", text: text)], mode)
  }
}
