import Foundation

/// A document in Markdown, as far as its examples matter.
///
/// The examples of an article are one program: declarations stand at file scope, and statements in
/// functions that have what examples take for granted. A type that is declared again begins
/// another file. An example after the comment `<!-- not compiled: … -->` is left out.
struct Article: CustomStringConvertible {
  let description: String
  /// The programs of the article, a file each.
  let programs: [String]

  init(at url: URL) throws {
    description = url.lastPathComponent
    var programs: [Program] = []
    for example in Self.examples(in: try String(contentsOf: url, encoding: .utf8)) {
      let names = Set(example.declarations.compactMap(Self.declaredName))
      if programs.last.map({ !$0.names.isDisjoint(with: names) }) ?? true {
        programs.append(Program())
      }
      programs[programs.count - 1].add(example, names)
    }
    self.programs = programs.map(\.text)
  }

  /// The declarations and the statements of one block of code.
  fileprivate struct Example {
    var declarations: [String] = []
    var statements: [String] = []
  }

  /// The examples that make up one file.
  fileprivate struct Program {
    var names: Set<String> = []
    private var examples: [Example] = []

    mutating func add(_ example: Example, _ names: Set<String>) {
      self.names.formUnion(names)
      examples.append(example)
    }

    var text: String {
      var parts = ["import Foundation\nimport Whimbrel\n"]
      for (name, declaration) in Self.assumed where !names.contains(name) {
        parts.append(declaration)
      }
      parts += examples.flatMap(\.declarations)
      for (number, example) in examples.enumerated() where !example.statements.isEmpty {
        let body = example.statements.map { "  \($0)" }.joined(separator: "\n")
        parts.append(
          """
          func example\(number)(
            store: Store, configuration: Store.Configuration, url: URL, folder: URL, data: Data,
            rows: [[String: Any]], zone: Zone, norway: Country, northern: Results<Zone>
          ) async throws {
          \(body)
          }
          """)
      }
      return parts.joined(separator: "\n")
    }

    /// What an example may use without declaring it.
    private static let assumed = [
      (
        "Zone",
        """
        @Model final class Zone {
          @PrimaryKey var identifier: String
          var latitude: Double = 0
          var longitude: Double = 0
          var isPopular: Bool = false
          var comments: String = ""
          var country: Country?
        }
        """
      ),
      (
        "Country",
        """
        @Model final class Country {
          @PrimaryKey var code: String
          var name: String = ""
          @Inverse(of: \\Zone.country) var zones: LinkingObjects<Zone>
        }
        """
      ),
      ("Area", "enum Area: String, PersistableEnum { case africa, europe }"),
      ("Hemisphere", "enum Hemisphere: String, PersistableEnum { case north, south }"),
      ("fetchComments", "func fetchComments() async throws -> String { \"\" }"),
      ("latitude", "func latitude(of text: String) throws -> Double { 0 }"),
      (
        "Coordinates",
        """
        struct Coordinates {
          var latitude = 0.0
          var longitude = 0.0
          init(iso6709: String) throws {}
        }
        """
      ),
    ]
  }

  /// The blocks of Swift code.
  private static func examples(in text: String) -> [Example] {
    var result: [Example] = []
    var lines: [String]?
    var isLeftOut = false
    for line in text.components(separatedBy: "\n") {
      if line.hasPrefix("<!-- not compiled: ") { isLeftOut = true }
      if line == "```swift" {
        lines = []
      } else if line == "```", let example = lines {
        if !isLeftOut { result.append(Example(example)) }
        (lines, isLeftOut) = (nil, false)
      } else {
        lines?.append(line)
      }
    }
    return result
  }

  /// The name that a declaration declares.
  private static func declaredName(_ declaration: String) -> String? {
    let keywords = ["class ", "struct ", "enum ", "actor ", "func "]
    for line in declaration.components(separatedBy: "\n") where !line.hasPrefix("@") {
      guard let end = keywords.compactMap({ line.range(of: $0)?.upperBound }).first else {
        continue
      }
      return String(line[end...].prefix { $0.isLetter || $0.isNumber })
    }
    return nil
  }
}

extension Article.Example {
  /// Parts a block: what begins at its margin as a declaration goes to the brace that ends it.
  fileprivate init(_ lines: [String]) {
    var declaration: [String]?
    for line in lines where !line.hasPrefix("import ") {
      if declaration == nil, Self.beginsDeclaration(line) { declaration = [] }
      guard var open = declaration else {
        statements.append(line)
        continue
      }
      open.append(line)
      let isWhole = line == "}" || line.hasSuffix("{}") || (line.hasSuffix("}") && open.count == 1)
      declaration = isWhole ? nil : open
      if isWhole { declarations.append(open.joined(separator: "\n")) }
    }
    statements += declaration ?? []
  }

  private static func beginsDeclaration(_ line: String) -> Bool {
    let words = [
      "@", "final class ", "struct ", "enum ", "actor ", "extension ", "func ", "nonisolated ",
    ]
    return words.contains { line.hasPrefix($0) }
  }
}
