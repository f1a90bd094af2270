extension StoreEdit.Operation {
  /// Returns the shell commands that do the same, one per line, without a line end.
  ///
  /// ```sh
  /// whimbrel set zones.whimbrel Zone id:17 '{"latitude":48.9}' --write
  /// ```
  ///
  /// Arguments are quoted for a POSIX shell. Control characters in JSON are escaped, so that the
  /// command is safe on a terminal.
  ///
  /// - Parameter path: The path of the store.
  package func command(path: String) -> String {
    let store = path.hasPrefix("-") ? "./\(path)" : path
    switch self {
    case .set(let name, let objects, let values):
      return Self.commands("set", store, name, objects, isPerObject: true, values.arguments)
    case .add(let name, let values):
      return Self.command("add", [store, name] + values.arguments)
    case .addRecord(let name, let json, _, _):
      return Self.command("add", [store, name] + StoreEdit.Values.json(json).arguments)
    case .remove(let name, let objects):
      return Self.commands("rm", store, name, objects, isPerObject: false, [])
    }
  }

  /// The operation in a few words: `set Zone id:17: latitude`.
  package var title: String {
    func words(_ verb: String, _ name: String, _ objects: StoreEdit.Objects) -> String {
      let which =
        switch objects {
        case .named(let names):
          names.count > 3
            ? "\(names.count) objects" : names.map(PlainText.escaped).joined(separator: ", ")
        case .query(let query): "where \(PlainText.beginning(of: query, limit: 60))"
        }
      return "\(verb) \(PlainText.escaped(name)) \(which)"
    }
    func ending(_ values: StoreEdit.Values) -> String {
      let names = values.propertyNames
      return names.isEmpty
        ? "" : ": \(PlainText.beginning(of: names.joined(separator: ", "), limit: 100))"
    }
    switch self {
    case .set(let name, let objects, let values):
      return words("set", name, objects) + ending(values)
    case .add(let name, let values): return "add \(PlainText.escaped(name))" + ending(values)
    case .addRecord(let name, let json, _, _):
      return "add \(PlainText.escaped(name))" + ending(.json(json))
    case .remove(let name, let objects): return words("remove", name, objects)
    }
  }

  /// - Parameter isPerObject: Whether the verb takes one object only.
  private static func commands(
    _ verb: String, _ store: String, _ name: String, _ objects: StoreEdit.Objects,
    isPerObject: Bool, _ values: [String]
  ) -> String {
    switch objects {
    case .query(let query):
      return command(verb, [store, name] + values, options: ["--where=\(query)"])
    case .named(let names) where isPerObject:
      return names.map { command(verb, [store, name, $0] + values) }.joined(separator: "\n")
    case .named(let names): return command(verb, [store, name] + names)
    }
  }

  private static func command(
    _ verb: String, _ arguments: [String], options: [String] = []
  ) -> String {
    let options = (options + ["--write"]).map(ShellText.quoted)
    let quoted = arguments.map(ShellText.quoted)
    // An argument that begins with a dash must follow '--'.
    let words =
      arguments.contains { $0.hasPrefix("-") }
      ? options + ["--"] + quoted : quoted + options
    return (["whimbrel", verb] + words).joined(separator: " ")
  }
}

extension StoreEdit.Values {
  /// The arguments of `whimbrel set` and `whimbrel add` for the values.
  fileprivate var arguments: [String] {
    switch self {
    case .json(let json):
      // A line feed is white space outside strings. Strings do not contain any.
      return [PlainText.escapedJSON(json.replacing("\n", with: " "))]
    case .texts(let texts): return texts
    }
  }

  fileprivate var propertyNames: [String] {
    switch self {
    case .json(let json):
      guard case .object(let members)? = try? JSONParser.parse(Array(json.utf8)).content else {
        return []
      }
      return members.map(\.name)
    case .texts(let texts):
      return texts.compactMap { text in
        var rest = Substring(text)
        return QualifiedName.takeName(from: &rest, upTo: "=", among: [String]())
      }
    }
  }
}

/// Text for a POSIX shell.
enum ShellText {
  /// Returns a text as one word of a shell command. A word of plain characters is not quoted.
  static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "/._-+,:=@%".utf8.contains(byte)
    }
    if isPlain, !text.isEmpty { return text }
    // Unicode scalars, because an accent would join the quote before it.
    var quoted = String.UnicodeScalarView("'".unicodeScalars)
    for scalar in text.unicodeScalars {
      if scalar == "'" {
        quoted.append(contentsOf: #"'\''"#.unicodeScalars)
      } else {
        quoted.append(scalar)
      }
    }
    quoted.append("'")
    return String(quoted)
  }
}
