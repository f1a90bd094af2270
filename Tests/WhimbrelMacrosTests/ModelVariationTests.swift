import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import Testing

@testable import WhimbrelMacros

/// How the shape of a class changes what is added to it.
struct ModelVariationTests {
  @Test(arguments: [
    ("", "internal"), ("internal ", "internal"), ("public ", "public"), ("package ", "package"),
    ("private ", "fileprivate"), ("fileprivate ", "fileprivate"),
  ])
  func `members can be seen as far as the class`(_ modifier: String, _ access: String) {
    let expanded = expand("@Model \(modifier)final class Zone {\n  var a: Int?\n}\n")
    #expect(expanded.messages.isEmpty)
    for member in [
      "var _$row: Whimbrel.ModelRow", "required init(_$row: Whimbrel.ModelRow)",
      "static let _$schema: Whimbrel.ModelSchema", "func _$encode(into", "func _$discardValues()",
    ] {
      #expect(expanded.source.contains("\(access) \(member)"))
    }
    #expect(expanded.source.contains("  private final class _$Values"))
  }

  @Test func `a private property with a value of its own is no parameter`() {
    let expanded = expand(
      """
      @Model final class Zone {
        var a: Int
        private var b: Int = 1
        fileprivate var c: Int?
        private(set) var d: Int
      }
      """)
    #expect(expanded.source.contains("internal init(a: Int, d: Int) {"))
  }

  @Test(arguments: [
    ("var b: Int", "internal init(a: Int, b: Int) {"),
    ("package var b: Int", "package init(a: Int, b: Int) {"),
    ("public var b: Int", "public init(a: Int, b: Int) {"),
  ])
  func `the initializer can be seen as far as what it needs`(
    _ declaration: String, _ initializer: String
  ) {
    let expanded = expand(
      "@Model public final class Zone {\n  public var a: Int\n  \(declaration)\n}\n")
    #expect(expanded.source.contains("  \(initializer)"))
  }

  @Test func `a class with an initializer of its own gets none`() {
    let expanded = expand(
      "@Model final class Zone {\n  var a: Int\n  init(_ a: Int) { self.a = a }\n}\n")
    #expect(expanded.messages.isEmpty)
    #expect(!expanded.source.contains("init(a: Int)"))
    #expect(expanded.source.contains("required init(_$row: Whimbrel.ModelRow)"))
  }

  @Test func `a convenience initializer does not count`() {
    let expanded = expand(
      "@Model final class Zone {\n  var a: Int\n  convenience init() { self.init(a: 1) }\n}\n")
    #expect(expanded.source.contains("internal init(a: Int)"))
  }

  @Test func `a class without properties is a model`() {
    let expanded = expand("@Model final class Zone {}")
    #expect(expanded.messages.isEmpty)
    #expect(expanded.source.contains("internal init() {"))
    #expect(!expanded.source.contains("let values = _$unmanaged\n    try"))
  }

  @Test func `only stored properties of objects count`() {
    let expanded = expand(
      """
      @Model final class Zone {
        static let limit = 1
        static var shared: Int = 1
        class var name: String { "" }
        var a: Int
        var half: Int { a / 2 }
        @Transient lazy var b = 1
        @Transient var observed: Int = 0 { didSet {} }
        @Transient let c = [1]
        @Transient weak var d: Zone?
        @Transient @Wrapper var e: Int
        #if DEBUG
        var double: Int { a * 2 }
        @Transient var f: Int = 1
        #endif
        var g: Int
      }
      """)
    #expect(expanded.messages.isEmpty)
    #expect(expanded.source.contains("internal init(a: Int, g: Int)"))
    #expect(
      expanded.source.contains(#"@Whimbrel._Persisted(1, in: "Zone", Int.self) var g"#)
        || expanded.source.contains("@Whimbrel._Persisted(1, in: \"Zone\", Int.self)\n  var g"))
    #expect(expanded.source.matches(of: /_Persisted/).count == 2)
  }

  @Test func `several previous names are given in order`() {
    let expanded = expand(
      """
      @Model final class Zone {
        @Renamed(from: "b", "c") @Renamed(from: ["d", "e"]) var a: Int
      }
      """)
    #expect(expanded.source.contains(#"previousNames: ["b", "c", "d", "e"]"#))
  }

  @Test func `an initial value of nil is no default`() {
    let expanded = expand("@Model final class Zone {\n  var a: Int? = nil\n}\n")
    #expect(
      expanded.source.contains(
        #"Whimbrel.ModelProperty("a", Int?.self, \Zone.a, set: { $0.a = $1 }),"#))
    #expect(expanded.source.contains("internal init(a: Int? = nil)"))
  }

  @Test func `backticks are no part of a name in the schema`() {
    let expanded = expand("@Model final class `Default` {\n  var `in`: Int\n}\n")
    #expect(expanded.source.contains(#"Whimbrel.ModelSchema("Default", of: `Default`.self"#))
    #expect(
      expanded.source.contains(
        #"Whimbrel.ModelProperty("in", Int.self, \`Default`.`in`, set: { $0.`in` = $1 })"#))
    #expect(expanded.source.contains("_$unmanaged.`in` = `in`"))
  }

  // The compiler found the operator twice and called it ambiguous.
  @Test func `an operator == for two objects becomes the one of Equatable`() {
    func expanded(_ other: String) -> String {
      expand(
        """
        @Model public final class Zone {
          static func == (lhs: Zone, rhs: \(other)) -> Bool { false }
        }
        """
      ).source
    }
    #expect(
      expanded("Zone").contains(
        """
        @_implements(Swift.Equatable, ==(_:_:)) public static func _$equals(\
        _ lhs: Zone, _ rhs: Zone) -> Swift.Bool {
        """))
    #expect(!expanded("String").contains("_$equals"))
  }

  @Test func `the keys for Codable are those of the properties`() {
    let expanded = expand(
      """
      @Model final class Zone {
        var a: Int
        var b: Int
        var `in`: Int
        private enum CodingKeys: String, CodingKey {
          case a
          case `in` = "x", computed
        }
      }
      """)
    #expect(
      expanded.source.contains(
        "static let _$codingNames: [Swift.String?]? = "
          + "[CodingKeys.a.stringValue, nil, CodingKeys.`in`.stringValue]"))
  }

  // `\Zone.ID` is the type that belongs to `Identifiable`, so the model did not compile.
  @Test func `a property called ID is not mistaken for the type ID`() {
    let expanded = expand("@Model final class Zone {\n  var ID: Int\n}\n")
    #expect(
      expanded.source.contains(
        #"\.ID as Swift.ReferenceWritableKeyPath<Zone, Int>, set: { $0.ID = $1 }"#
      ))
  }

  // The initializer kept `Self`, and the compiler refuses it in a default argument.
  @Test func `Self in a default value is the class`() {
    let expanded = expand("@Model final class Zone {\n  var a: Int = Self.limit + 1\n}\n")
    #expect(expanded.source.contains("var a: Int = Zone.limit + 1"))
    #expect(expanded.source.contains("init(a: Int = Zone.limit + 1)"))
  }

  @Test(arguments: ["if x { 1 } else { 2 }", "switch x { default: 1 }"])
  func `a default value that no argument can have is that of a function`(_ value: String) {
    let expanded = expand("@Model final class Zone {\n  var a: Int = \(value)\n}\n")
    #expect(expanded.source.contains("var a: Int = \(value)"))
    #expect(expanded.source.contains("internal init(a: Int = _$Defaults.a())"))
    #expect(
      expanded.source.contains("internal static func a() -> Int {\n      \(value)\n    }"),
      "\(expanded.source)")
  }

  @Test func `the conformance is available where the class is`() {
    let expanded = expand("@available(macOS 26, *)\n@Model final class Zone {}\n")
    #expect(
      expanded.source.contains(
        "@available(macOS 26, *)\nnonisolated extension Zone: Whimbrel.Model {"))
  }

  @Test func `a class within a type is extended by its full name`() {
    let expanded = expand("enum Old {\n  @Model(\"Zone\") final class ZoneV1 {}\n}\n")
    #expect(expanded.messages.isEmpty)
    #expect(expanded.source.contains("nonisolated extension Old.ZoneV1: Whimbrel.Model {"))
    #expect(expanded.source.contains(#"Whimbrel.ModelSchema("Zone", of: ZoneV1.self"#))
  }

  @Test func `markers may be qualified with the module`() {
    let expanded = expand(
      "@Model final class Zone {\n  @Whimbrel.PrimaryKey var a: Int\n  @Other.Indexed var b: Int\n}\n"
    )
    #expect(
      expanded.source.contains(
        #"("a", Int.self, \Zone.a, set: { $0.a = $1 }, isPrimaryKey: true)"#))
    #expect(expanded.source.contains(#"("b", Int.self, \Zone.b, set: { $0.b = $1 })"#))
  }

  // The compiler, unlike the expansion in tests, counts the class itself to the
  // context of its members. A private class was taken for one nested in itself,
  // and its properties got no accessors.
  // The compiler chooses by type between two macros of that name, one of which reports an error.
  @Test func `the first property has an attribute for each type that may be the superclass`() {
    func attributes(_ inherited: String) -> [String] {
      expand("@Model final class Zone\(inherited) { var a: Int; var b: Int }").source
        .matches(of: /@Whimbrel\._Superclass\(.+?\.self\)/).map { String($0.output) }
    }
    #expect(attributes("") == [])
    #expect(
      attributes(": Base<Int>, Titled")
        == [#"@Whimbrel._Superclass("Base<Int>", (any Base<Int> & Swift.Sendable).self)"#])
    #expect(
      attributes(": Module.Base & Titled") == [
        #"@Whimbrel._Superclass("Module.Base", (any Module.Base & Swift.Sendable).self)"#,
        #"@Whimbrel._Superclass("Titled", (any Titled & Swift.Sendable).self)"#,
      ])
    #expect(attributes(": @unchecked Sendable, Titled") == [])
  }

  @Test func `a private class is not taken for its own context`() throws {
    let file = Parser.parse(source: "@Model private final class Zone {\n  var a: Int\n}\n")
    let syntax = try #require(file.statements.first?.item.as(ClassDeclSyntax.self))
    let attribute = try #require(syntax.attributes.first?.as(AttributeSyntax.self))
    let member = try #require(syntax.memberBlock.members.first?.decl)
    let context = BasicMacroExpansionContext(lexicalContext: [Syntax(syntax)])
    let attributes = ModelMacro.expansion(
      of: attribute, attachedTo: syntax, providingAttributesFor: member, in: context)
    #expect(attributes.map(\.description) == [#"@Whimbrel._Persisted(0, in: "Zone", Int.self)"#])
  }
}

// MARK: - Keys and identities

extension ModelVariationTests {
  @Test(arguments: [
    ("final class Zone", "var a: Int", "internal typealias _$Key = Int"),
    ("final class Zone", "var a: Zone.Name", "internal typealias _$Key = Zone.Name"),
    ("public final class Zone", "var a: Swift.Int8", "public typealias _$Key = Swift.Int8"),
    ("public final class Zone", "public var a: Name", "public typealias _$Key = Name"),
    ("public final class Zone", "var a: Name", "public typealias _$Key = \(hidden)"),
    ("final class Zone", "private var a: Name = .x", "internal typealias _$Key = \(hidden)"),
    (
      "private final class Zone", "private var a: String = name()",
      "fileprivate typealias _$Key = String"
    ),
  ])
  func `a model names the type of its primary key where it can be seen`(
    header: String, property: String, expected: String
  ) {
    let expanded = expand("@Model \(header) {\n  @PrimaryKey \(property)\n}\n")
    #expect(expanded.source.contains(expected), "\(expanded.source)")
    #expect(!expanded.source.contains("_$Identity"))
  }

  @Test(arguments: [
    ("public final class Zone", "var id: Int"), ("final class Zone", "private var id: Int = 1"),
  ])
  func `a model whose id cannot be seen as far as it is identifiable nevertheless`(
    header: String, member: String
  ) {
    let expanded = expand("@Model \(header) {\n  \(member)\n}\n")
    #expect(expanded.source.contains("@_implements(Swift.Identifiable, ID)"))
    #expect(expanded.source.contains("@_implements(Swift.Identifiable, id)"))
  }

  @Test(arguments: [
    "struct ID {}", "typealias ID = Int", "enum ID { case a }\n  static var id: ID = .a",
    "enum ID { case a }\n  private var id: ID = .a",
  ])
  func `a type that is called ID is refused unless it is that of a property id`(member: String) {
    let expanded = expand("@Model final class Zone {\n  \(member)\n}\n")
    #expect(
      expanded.messages == [
        "The type 'ID' in the model 'Zone' hides the type of its identity. Rename it, or give "
          + "the model a property 'id' of this type that is as visible as the class."
      ])
    let sound = expand("@Model final class Zone {\n  struct ID {}\n  var id: ID\n}\n")
    #expect(sound.messages.isEmpty)
  }

  @Test(arguments: ["var id: Int", "static var id: Int = 1", "var other: Int"])
  func `a model with an id of its own has that as its identity`(member: String) {
    let expanded = expand("@Model final class Zone {\n  \(member)\n}\n")
    #expect(!expanded.source.contains("_implements"))
  }
}

private let hidden = "Whimbrel.HiddenPrimaryKey"
