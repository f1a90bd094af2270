import Foundation
import WhimbrelInspectionTestSupport

/// A package, as the index has it.
struct DebianPackage {
  let name: String
  let fields: [String: String]

  /// What a package's priority can be.
  static let priorities = ["required", "important", "standard", "optional", "extra"]

  /// Reads a paragraph of `Name: value` lines; lines that begin with a space belong to the one
  /// before.
  private init?(_ paragraph: String) {
    var fields: [String: String] = [:]
    var last = ""
    for line in paragraph.components(separatedBy: "\n") {
      if line.hasPrefix(" ") {
        fields[last, default: ""] += line
      } else if let colon = line.range(of: ": ") {
        last = String(line[..<colon.lowerBound])
        fields[last] = String(line[colon.upperBound...])
      }
    }
    guard let name = fields["Package"] else { return nil }
    self.name = name
    self.fields = fields
  }

  /// Reads the package index: every nth package, and what these depend on.
  static func read(everyNth step: Int, in folder: TestFolder) throws -> [DebianPackage] {
    let file = folder.url.appending(path: "index")
    try Data().write(to: file)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/apt-cache")
    process.arguments = ["dumpavail"]
    process.standardOutput = try FileHandle(forWritingTo: file)
    try process.run()
    process.waitUntilExit()
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    try FileManager.default.removeItem(at: file)
    let paragraphs = text.components(separatedBy: "\n\n")
    let chosen = stride(from: 0, to: paragraphs.count, by: step).compactMap {
      DebianPackage(paragraphs[$0])
    }
    if step == 1 { return chosen.unique }
    let wanted = Set(chosen.flatMap { $0.names(of: "Depends") })
    let needed = paragraphs.compactMap { paragraph -> DebianPackage? in
      // The name alone is quick to read.
      let line = paragraph.prefix { $0 != "\n" }
      return wanted.contains(String(line.dropFirst("Package: ".count)))
        ? DebianPackage(paragraph) : nil
    }
    return (chosen + needed).unique
  }
}

extension DebianPackage {
  /// Name, version and architecture, which no other package has.
  var key: String { "\(name) \(fields["Version"] ?? "") \(fields["Architecture"] ?? "")" }

  /// What stands in the angle brackets behind the maintainer's name.
  var address: String? {
    guard let contact = fields["Maintainer"], let start = contact.lastIndex(of: "<"),
      contact.hasSuffix(">")
    else { return nil }
    return String(contact[contact.index(after: start)...].dropLast())
  }

  /// The packages of a relation, each once, without versions; of alternatives the first.
  func names(of field: String) -> [String] {
    var names: [String] = []
    for part in (fields[field] ?? "").components(separatedBy: ",") {
      let name = part.drop { $0 == " " }.prefix { !" (|:".contains($0) }
      if !name.isEmpty, !names.contains(String(name)) { names.append(String(name)) }
    }
    return names
  }
}

extension [DebianPackage] {
  /// The first with each key, in the order of the names.
  fileprivate var unique: [DebianPackage] {
    var keys: Set<String> = []
    return filter { keys.insert($0.key).inserted }.sorted { $0.key < $1.key }
  }
}
