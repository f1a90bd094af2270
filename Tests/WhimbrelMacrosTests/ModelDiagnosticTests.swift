import SwiftDiagnostics
import Testing

@testable import WhimbrelMacros

/// What is said about the class and its initializers.
struct ModelDiagnosticTests {
  @Test(arguments: [
    ("enum Zone {}", "an enum"), ("actor Zone {}", "an actor"), ("protocol Zone {}", "a protocol"),
  ])
  func `only a class can be a model`(_ declaration: String, _ kind: String) throws {
    let source = "@Model " + declaration.replacing(" Zone", with: " §Zone")
    try expectDiagnostic(
      DiagnosticCase(source, "'@Model' applies only to a final class, and 'Zone' is \(kind)."))
  }

  @Test func `an extension of a class is not its declaration`() throws {
    try expectDiagnostic(
      DiagnosticCase(
        "@Model extension §Zone {}",
        "'@Model' applies only to the declaration of a final class, and this is an extension of "
          + "'Zone'."))
  }

  @Test(arguments: [
    DiagnosticCase(
      "@Model public struct §Zone { var a: Int }",
      "'@Model' applies only to a final class, and 'Zone' is a struct.",
      fix: ("Make it a final class", "@Model public final class Zone { var a: Int }")),
    DiagnosticCase(
      "@Model public class §Zone {}", "A model class must be final: mark 'Zone' 'final'.",
      fix: ("Add 'final'", "@Model public final class Zone {}")),
    DiagnosticCase(
      "@Model open class §Zone {}", "A model class must be final: mark 'Zone' 'final'.",
      fix: ("Add 'final'", "@Model public final class Zone {}")),
    // The errors were those of generated code.
    DiagnosticCase(
      "@Model final class §Whimbrel { var a: Int }",
      "A model class cannot be called 'Whimbrel', because the code that '@Model' generates names "
        + "this module: rename the class. '@Model(\"Whimbrel\")' keeps its name in the store."),
    DiagnosticCase(
      "enum Old {\n  @Model(\"Bird\") final class §`Swift` {}\n}\n",
      "A model class cannot be called 'Swift', because the code that '@Model' generates names this "
        + "module: rename the class."),
    DiagnosticCase(
      "@Model final class Zone§<Value> {}",
      "A model class cannot be generic: remove the generic parameters of 'Zone'."),
    DiagnosticCase(
      "struct Outer<Value> {\n  @Model final class §Zone {}\n}\n",
      "A model class cannot be nested in a generic type: move 'Zone' out of 'Outer'."),
    DiagnosticCase(
      "extension Outer where Value == Int {\n  @Model final class §Zone {}\n}\n",
      "A model class cannot be nested in a generic type: move 'Zone' out of 'Outer'."),
    DiagnosticCase(
      "extension Outer<Int>.Inner {\n  @Model final class §Zone {}\n}\n",
      "A model class cannot be nested in a generic type: move 'Zone' out of 'Outer<Int>.Inner'."),
    DiagnosticCase(
      "func make() {\n  @Model final class §Zone {}\n}\n",
      "A model class cannot be declared in a function: move 'Zone' out of it."),
    DiagnosticCase(
      "enum Outer {\n  @Model §private final class Zone {}\n}\n",
      "A model class within 'Outer' cannot be private, because its conformance is declared "
        + "outside: mark 'Zone' 'fileprivate'.",
      fix: (
        "Replace 'private' with 'fileprivate'",
        "enum Outer {\n  @Model fileprivate final class Zone {}\n}\n"
      )),
    DiagnosticCase(
      "@Model final class Zone: §Object {}",
      "A model class cannot have a superclass: remove 'Object' from 'Zone'.",
      fix: ("Remove 'Object'", "@Model final class Zone {}")),
    DiagnosticCase(
      "@Model final class Zone: §EmbeddedObject {}",
      "A model class cannot have a superclass: remove 'EmbeddedObject' from 'Zone'. Write "
        + "'@Model(.embedded)' instead.",
      fix: ("Remove 'EmbeddedObject'", "@Model final class Zone {}")),
    DiagnosticCase(
      "@Model final class Zone: §Foundation.NSObject, Codable {}",
      "A model class cannot have a superclass: remove 'Foundation.NSObject' from 'Zone'.",
      fix: ("Remove 'Foundation.NSObject'", "@Model final class Zone: Codable {}")),
    // The error was one of generated code: a stored property of a Sendable class is mutable.
    DiagnosticCase(
      "@Model final class Zone: §Sendable {}",
      "A model class cannot be Sendable: remove 'Sendable' from 'Zone'. Pass an object to another "
        + "thread as its 'objectHandle', and its values as 'frozen'.",
      fix: ("Remove 'Sendable'", "@Model final class Zone {}")),
    DiagnosticCase(
      "@Model final class Zone: Codable, §Swift.Sendable {}",
      "A model class cannot be Sendable: remove 'Sendable' from 'Zone'. Pass an object to another "
        + "thread as its 'objectHandle', and its values as 'frozen'.",
      fix: ("Remove 'Sendable'", "@Model final class Zone: Codable {}")),
    // It compiled, and the model had no primary key.
    DiagnosticCase(
      "@Model final class Zone {\n  static func §primaryKey() -> String? { \"id\" }\n}\n",
      "Whimbrel never calls 'primaryKey()' of Realm: mark the property with '@PrimaryKey' instead."),
    DiagnosticCase(
      "@Model final class Zone {\n  class func §ignoredProperties() -> [String] { [] }\n}\n",
      "Whimbrel never calls 'ignoredProperties()' of Realm: mark the property with '@Transient' "
        + "instead."),
  ])
  func `a class that cannot be a model is told why`(_ diagnosticCase: DiagnosticCase) throws {
    try expectDiagnostic(diagnosticCase)
  }

  @Test(arguments: [
    DiagnosticCase(
      "@Model(§\"\") final class Zone {}", "The class name given to '@Model' must not be empty."),
    DiagnosticCase(
      "@Model(§name, .embedded) final class Zone {}",
      "The class name given to '@Model' must be a plain string literal."),
    DiagnosticCase(
      #"@Model(§"Zone\(1)") final class Zone {}"#,
      "The class name given to '@Model' must be a plain string literal."),
    DiagnosticCase(
      "@Model(§\"\(String(repeating: "é", count: 29))\") final class Zone {}",
      "The class name '\(String(repeating: "é", count: 29))' is 58 bytes long in UTF-8, and at "
        + "most 57 are allowed. Give a shorter one with '@Model(\"…\")'."),
    DiagnosticCase(
      "@Model final class §\(String(repeating: "Z", count: 58)) {}",
      "The class name '\(String(repeating: "Z", count: 58))' is 58 bytes long in UTF-8, and at "
        + "most 57 are allowed. Give a shorter one with '@Model(\"…\")'."),
  ])
  func `the class name is a literal of at most 57 bytes`(_ diagnosticCase: DiagnosticCase) throws {
    try expectDiagnostic(diagnosticCase)
  }

  @Test func `a class name of 57 bytes and protocols are allowed`() {
    let name = String(repeating: "Z", count: 57)
    #expect(expand("@Model final class \(name): Codable {}").messages.isEmpty)
    // The app then promises that it is careful.
    #expect(expand("@Model final class Zone: @unchecked Sendable {}").messages.isEmpty)
  }

  @Test(arguments: [
    DiagnosticCase(
      "@Model final class Zone {\n  var a: Int\n  §init() {}\n}\n",
      "'a' is never set in this initializer, and has no default value.", isWarning: true),
    DiagnosticCase(
      "@Model final class Zone {\n  var a: Int\n  var b: Int?\n  var c: Int = 1\n"
        + "  init(a: Int) { self.a = a }\n  private §init(c: Int) { self.c = c }\n}\n",
      "'a' is never set in this initializer, and has no default value.", isWarning: true),
    DiagnosticCase(
      "@Model final class Zone {\n  var a: Int\n  var c: Int = 1\n  §init(c: Int) {\n"
        + "    self.c = max(c, Int.self == Int.self ? 1 : 2)\n    print(\"c\", Date())\n  }\n}\n",
      "'a' is never set in this initializer, and has no default value.", isWarning: true),
  ])
  func `an initializer that forgets a property is warned of`(
    _ diagnosticCase: DiagnosticCase
  ) throws {
    try expectDiagnostic(diagnosticCase)
  }

  @Test(arguments: [
    "setUp()", "self.setUp()", "self.init(a: 1)", "Registry.fill(self)", "fill(object: self)",
    "values.forEach(self.take)", "total = 1", "self.total = 1", "self[keyPath: path] = 1",
    "c = make()",
  ])
  func `an initializer is not warned of what other code may set`(_ statement: String) {
    let expanded = expand(
      "@Model final class Zone {\n  var a: Int\n  var c: Int = 1\n"
        + "  var total: Int { get { a } set { a = newValue } }\n  init() { \(statement) }\n}\n")
    #expect(expanded.messages.isEmpty)
  }

  @Test func `a convenience initializer may leave properties to the other`() {
    let expanded = expand(
      "@Model final class Zone {\n  var a: Int\n  convenience init() { self.init(a: 1) }\n}\n")
    #expect(expanded.messages.isEmpty)
  }

  @Test func `the IDs of messages are stable names`() {
    let expected = MessageID(domain: "WhimbrelMacros", id: "notFinal")
    #expect(ModelDiagnostic.notFinal(name: "Zone").diagnosticID == expected)
    #expect(
      ModelDiagnostic.severalNames.diagnosticID
        == MessageID(domain: "WhimbrelMacros", id: "severalNames"))
  }
}
