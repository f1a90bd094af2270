import Foundation
import Testing
import WhimbrelTestSupport

/// The smallest models that once did not compile, in each order and in each way.
@Suite(.serialized) struct ModelOrderTests {
  /// Models that name each other, one declaration each.
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let declarations: [String]

    init(_ testDescription: String, _ declarations: String...) {
      self.testDescription = testDescription
      self.declarations = declarations
    }
  }

  static let cases = [
    Case(
      "the inverse of a list",
      "@Model final class Dog { var name: String; @Inverse(of: \\Person.dogs) var owners: LinkingObjects<Person> }",
      "@Model final class Person { var name: String; var dogs: StoredList<Dog> }"),
    Case(
      "the inverse of a set",
      "@Model final class Dog { var name: String; @Inverse(of: \\Person.dogs) var owners: LinkingObjects<Person> }",
      "@Model final class Person { var name: String; var dogs: StoredSet<Dog> }"),
    Case(
      "the inverse of a map",
      "@Model final class Dog { var name: String; @Inverse(of: \\Person.dogs) var owners: LinkingObjects<Person> }",
      "@Model final class Person { var name: String; var dogs: StoredMap<String, Dog> }"),
    Case(
      "a model that links to itself",
      """
      @Model final class Tree {
        var name: String
        var children: StoredList<Tree>
        @Inverse(of: \\Tree.children) var parents: LinkingObjects<Tree>
      }
      """),
    Case(
      "an embedded model that another file reads",
      "func seconds(of book: Book) -> Int? { book.position?.seconds }",
      "@Model final class Book { var title: String; var position: Position? }",
      "@Model(.embedded) final class Position { var seconds: Int }"),
    Case(
      "inverses of each other",
      "@Model final class A { var bs: StoredList<B>; @Inverse(of: \\B.a) var owners: LinkingObjects<B> }",
      "@Model final class B { var a: A?; @Inverse(of: \\A.bs) var owners: LinkingObjects<A> }"),
  ]

  @Test(.takesLong, arguments: cases)
  func `models compile in one file, in either order`(models: Case) throws {
    for declarations in [models.declarations, models.declarations.reversed()] {
      let text = "import Whimbrel\n" + declarations.joined(separator: "\n")
      try expectCompiles([.init(name: "Models.swift", text: text)])
    }
  }

  @Test(.takesLong, arguments: cases.filter { $0.declarations.count > 1 })
  func `models compile in files of their own, in either order`(models: Case) throws {
    let files = models.declarations.enumerated().map { number, declaration in
      Compiler.Source(name: "\(number).swift", text: "import Whimbrel\n\(declaration)")
    }
    try expectCompiles(files, .debug)
    try expectCompiles(files.reversed(), .release)
    guard TestRun.isLong else { return }
    for mode in Compiler.Mode.allCases {
      try expectCompiles(files, mode)
      try expectCompiles(files.reversed(), mode)
    }
  }

  // Each of them is asked for by a macro's argument before the model has been expanded.
  @Test func `every protocol of models is known before they are expanded`() throws {
    let declaration = try String(
      contentsOf: Compiler.repository.appending(path: "Sources/Whimbrel/Model/Model.swift"),
      encoding: .utf8)
    let clause = try #require(declaration.firstMatch(of: /public protocol Model: ([^{]+)\{/))
    let protocols = clause.1.split(separator: ",").map { $0.trimming(while: \.isWhitespace) }
    #expect(protocols.contains("CollectionElement"))
    let text = protocols.filter { $0 != "AnyObject" }.enumerated().map { number, name in
      """
      final class Kennel\(number)<Kept: \(name)> {}
      @Model final class Dog\(number) {
        @Inverse(of: \\Person\(number).kennel) var owners: LinkingObjects<Person\(number)>
      }
      @Model final class Person\(number) {
        @Transient var kennel: Kennel\(number)<Dog\(number)>? = nil
      }
      """
    }
    try expectCompiles([
      .init(
        name: "Models.swift",
        text: "import Observation\nimport Whimbrel\n" + text.joined(separator: "\n"))
    ])
  }

  @Test func `models may spell conformances themselves`() throws {
    let text = """
      import Whimbrel

      @Model final class Spelled: Model { var others: StoredList<Compared> }
      @Model final class Compared: Comparable, Codable {
        var name: String
        static func < (lhs: Compared, rhs: Compared) -> Bool { lhs.name < rhs.name }
      }
      @Model final class Equal {
        var name: String
        static func == (lhs: Equal, rhs: Equal) -> Bool { lhs.name == rhs.name }
      }
      @Model final class Hashed: Swift.Hashable {
        var name: String
        static func == (lhs: Hashed, rhs: Hashed) -> Bool { lhs.name == rhs.name }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
      }
      @Model final class Extended { var name: String }
      extension Extended: Equatable {
        static func == (lhs: Extended, rhs: Extended) -> Bool { lhs.name == rhs.name }
      }
      @Model final class Counted { var number: Int; var others: StoredMap<String, Hashed> }
      extension Counted: Swift.Hashable {
        static func == (lhs: Counted, rhs: Counted) -> Bool { lhs.number == rhs.number }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
      }
      // Names of the program do not hide those of the library.
      protocol Hashable {}
      protocol CollectionElement {}
      """
    try expectCompiles([.init(name: "Models.swift", text: text)])
  }
}

extension Substring {
  fileprivate func trimming(while isTrimmed: (Character) -> Bool) -> Substring {
    var result = drop(while: isTrimmed)
    while let last = result.last, isTrimmed(last) { result.removeLast() }
    return result
  }
}
