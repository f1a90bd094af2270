import WhimbrelTestSupport

extension ModelGraph {
  /// The declarations of the graph, each of which may stand in a file of its own: the models,
  /// the types of their values, and code that uses them.
  var declarations: [String] {
    models.map(declaration) + [valueTypes] + models.indices.map(use) + [plainClass, constraints]
  }

  /// The declarations in files, in a random order.
  func sources(fileCount: Int, _ random: inout SeededGenerator) -> [Compiler.Source] {
    let shuffled = declarations.shuffled(using: &random)
    var files = [[String]](repeating: [], count: fileCount)
    for (position, declaration) in shuffled.enumerated() {
      files[position % fileCount].append(declaration)
    }
    return files.enumerated().map { number, declarations in
      // Names in a random order too: a compiler may go by them.
      let name = "\(UInt8.random(in: .min ... .max, using: &random))-\(number).swift"
      let head = "\(access)import Foundation\n\(access)import Whimbrel\n\n"
      return Compiler.Source(name: name, text: head + declarations.joined(separator: "\n\n"))
    }
  }

  private var access: String { isPublic ? "public " : "" }

  private func declaration(_ model: Model) -> String {
    var lines = [model.isEmbedded ? "@Model(.embedded)" : "@Model"]
    if !model.index.isEmpty {
      lines.append("@Index([\(model.index.map { "\\.\($0)" }.joined(separator: ", "))])")
    }
    let path = model.name.split(separator: ".").map(String.init)
    lines.append("\(access)final class \(path.last ?? "") {")
    lines += model.properties.map { "  \(declaration($0))" }
    lines += model.inverses.map { inverse in
      let source = models[inverse.source].name
      return "  @Inverse(of: \\\(source).\(inverse.property)) \(access)var \(inverse.name): "
        + "LinkingObjects<\(source)>"
    }
    lines.append("}")
    if path.count > 1 { lines = ["\(access)enum \(path[0]) {"] + lines + ["}"] }
    return lines.joined(separator: "\n")
  }

  private func declaration(_ property: Property) -> String {
    let marker = property.isPrimaryKey ? "@PrimaryKey " : property.isIndexed ? "@Indexed " : ""
    let value = property.defaultValue.map { " = \($0)" } ?? ""
    return "\(marker)\(access)var \(property.name): \(type(of: property))\(value)"
  }

  private func type(of property: Property) -> String {
    let content =
      switch property.content {
      case .value(let type): type
      case .object(let target): models[target].name
      }
    return switch property.shape {
    case .single: content
    case .optional: "\(content)?"
    case .list: "StoredList<\(content)>"
    case .set: "StoredSet<\(content)>"
    case .map: "StoredMap<String, \(content)>"
    }
  }

  private var valueTypes: String {
    """
    \(access)enum Mood: String, PersistableEnum { case calm, wild }
    \(access)struct Address: PersistableCodable {
      \(access)var street = ""
      \(access)init() {}
      init(street: String) { self.street = street }
    }
    """
  }

  /// A class that is no model and has collections of all models.
  private var plainClass: String {
    let properties = models.enumerated().map {
      "  var objects\($0): StoredList<\($1.name)> = StoredList()"
    }
    return "final class Shelf {\n\(properties.joined(separator: "\n"))\n}"
  }

  /// Code that reads each property of a model, and the properties of what it leads to.
  private func use(_ position: Int) -> String {
    let model = models[position]
    var lines: [String] = []
    for property in model.properties {
      lines.append("seen.append(object.\(property.name))")
      guard case .object(let target) = property.content else { continue }
      let others = models[target].properties.map(\.name) + models[target].inverses.map(\.name)
      lines += others.map { other in
        switch property.shape {
        case .single, .optional: "seen.append(object.\(property.name)?.\(other))"
        case .list, .set:
          "seen.append(object.\(property.name).first?.\(other))"
        case .map: "seen.append(object.\(property.name)[\"a\"]?.\(other))"
        }
      }
    }
    lines += model.inverses.map { "seen.append(object.\($0.name).first?.\($0.property))" }
    let texts = model.properties.filter {
      if case .value("String") = $0.content { $0.shape == .single } else { false }
    }
    if !model.isEmbedded {
      lines += texts.map { text in
        "seen.append(store.objects(\(model.name).self).where { $0.\(text.name) == \"a\" }.count)"
      }
    }
    return """
      func use\(position)(_ object: \(model.name), _ store: Store) -> [Any?] {
        var seen: [Any?] = [Set([object]), StoredList([object])]
      \(lines.map { "  \($0)" }.joined(separator: "\n"))
        return seen
      }
      """
  }

  /// Code that asks for every protocol that a model conforms to.
  private var constraints: String {
    let calls = models.map { "  keep(\($0.name).self)" }.joined(separator: "\n")
    return """
      func keep<Kept: Model & CollectionElement & Hashable>(_ type: Kept.Type) {}
      func keepAll() {
      \(calls)
      }
      """
  }
}
