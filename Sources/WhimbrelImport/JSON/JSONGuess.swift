internal import WhimbrelEngine
public import WhimbrelInspection

extension GuessedSchema {
  /// Guesses the classes of JSON objects. All objects are read.
  ///
  /// - Parameters:
  ///   - file: Lines of objects, or one array of objects.
  ///   - className: The class of the objects.
  ///   - key: The member that is the primary key, or nil for none.
  /// - Throws: ``InspectionError`` with `badImport`, `badArgument`, `cannotRead` or `cancelled`.
  /// - Complexity: O(*n*), in memory for one object.
  public init(
    json file: ImportFile, class className: String, key: String? = nil,
    monitor: WorkMonitor = .silent
  ) throws {
    let records = JSONRecords(file.input)
    var members = JSONMembersGuess()
    try records.forEach { record in
      members.add(record.members, line: record.line, limits: false)
      if members.count % 1_000 == 0 {
        try monitor.update(
          "Reading objects", members.count, of: nil,
          orThrow: InspectionError.cancelled(records.name, "guess the schema of"))
      }
    }
    if members.count == 0 {
      throw InspectionError.badInput(.badImport, records.name, "", "it contains no objects")
    }
    if let key, members[key] == nil {
      throw Self.unknownKey(key, members.names, records.name)
    }
    var drafts = JSONClassDrafts(rootName: className)
    drafts.add(className, members, isEmbedded: false)
    if let key, let index = drafts.index(ofMember: key) {
      let found = drafts.properties[index]
      drafts.properties[index] = Property(
        className: className,
        property: try Self.keyed(found.property, missing: found.missing, source: records.name),
        missing: found.missing, reason: found.reason)
    }
    properties = drafts.properties
    rows = members.count
    self.className = className
    names = drafts.names.mapValues(\.properties)
    notes = drafts.notes
    schema = SchemaExport(schemaVersion: 1, classes: drafts.classes)
  }
}

/// A builder of the classes that JSON objects become.
private struct JSONClassDrafts {
  private let rootName: String
  /// The classes in the order in which they were found.
  private var found: [(name: String, isEmbedded: Bool)] = []
  var properties: [GuessedSchema.Property] = []
  private(set) var names: [String: GuessedNames] = [:]
  private var listsWithNil: [String] = []

  /// Objects that are nested deeper become values of type `any`.
  private static let maximumDepth = 16

  init(rootName: String) { self.rootName = rootName }

  /// Adds a class and the classes embedded in it.
  mutating func add(
    _ className: String, _ members: JSONMembersGuess, isEmbedded: Bool, depth: Int = 0
  ) {
    found.append((className, isEmbedded))
    var names = GuessedNames()
    let renamed = members.names.map { ($0, names.property(for: $0)) }
    self.names[className] = names
    var waiting: [(String, JSONMembersGuess)] = []
    for (name, property) in renamed {
      guard let guess = members[name] else { continue }
      let missing = members.count - guess.scalars.count + guess.scalars.nulls
      let (type, part) = type(of: guess, property, in: className, depth)
      if let part { waiting.append(part) }
      let isOptional = missing > 0 && type != .any && !type.isCollection
      if missing > 0, type.isCollection { listsWithNil.append("\(className).\(property)") }
      properties.append(
        GuessedSchema.Property(
          className: className,
          property: PropertySchema(name: property, type: type, isOptional: isOptional),
          missing: missing, reason: reason(guess, type)))
    }
    for (name, members) in waiting {
      add(name, members, isEmbedded: true, depth: depth + 1)
    }
  }

  /// Returns the reason for a type that may surprise, or nil.
  private func reason(_ guess: JSONValueGuess, _ type: PropertyType) -> String? {
    if type == .any {
      let kinds = guess.scalars.kinds
      return kinds.isEmpty
        ? "no value"
        : kinds.count > 1 ? "several kinds of values" : "nested value"
    }
    return guess.scalars.kinds == [.string] ? guess.scalars.texts.reason : nil
  }

  /// Returns the type of a property, and the guess about the class embedded in it.
  private mutating func type(
    of guess: JSONValueGuess, _ property: String, in className: String, _ depth: Int
  ) -> (PropertyType, part: (String, JSONMembersGuess)?) {
    if let scalar = guess.scalars.type { return (scalar, nil) }
    if guess.scalars.kinds == [.object] {
      return objectType(guess.members, property, in: className, depth)
    }
    guard guess.scalars.kinds == [.array] else { return (.any, nil) }
    guard let elements = guess.elements else { return (.list(of: ElementType(.any)), nil) }
    let hasNil = elements.scalars.nulls > 0
    if let scalar = elements.scalars.type {
      return (.list(of: ElementType(scalar, isOptional: hasNil)), nil)
    }
    if elements.scalars.kinds == [.object], !hasNil {
      let (type, part) = objectType(elements.members, property, in: className, depth)
      if type.linkTarget != nil { return (.list(of: ElementType(type)), part) }
    }
    return (.list(of: ElementType(.any)), nil)
  }

  private mutating func objectType(
    _ members: JSONMembersGuess, _ property: String, in className: String, _ depth: Int
  ) -> (PropertyType, part: (String, JSONMembersGuess)?) {
    if depth == Self.maximumDepth { return (.any, nil) }
    if members.isMap {
      let type = members.values.type ?? .any
      let isOptional = members.values.nulls > 0 && type != .any
      return (.map(of: ElementType(type, isOptional: isOptional)), nil)
    }
    let name = partName(className, property)
    return (.link(to: name), (name, members))
  }

  /// Returns `CityMayor` for `City.mayor`.
  private mutating func partName(_ className: String, _ property: String) -> String {
    let joined = className + property.prefix(1).uppercased() + property.dropFirst()
    var name = joined.utf8.count <= StoreSchema.classNameLimit ? joined : "\(rootName)Part"
    if name.utf8.count > StoreSchema.classNameLimit { name = "Part" }
    var unique = UniqueNames(taken: Set(names.keys))
    let candidate = unique.take(name)
    names[candidate] = GuessedNames()
    return candidate
  }
}

extension JSONClassDrafts {
  var classes: [SchemaExport.ClassExport] {
    found.map { name, isEmbedded in
      SchemaExport.ClassExport(
        name: name, isEmbedded: isEmbedded,
        properties: properties.filter { $0.className == name }.map(\.property))
    }
  }

  /// Returns the index of the property of a member of the root class.
  func index(ofMember name: String) -> Int? {
    let property = names[rootName]?.properties[name]
    return properties.firstIndex { $0.className == rootName && $0.property.name == property }
  }

  var notes: [String] {
    found.flatMap { className, _ in
      (names[className]?.changed ?? []).map {
        "Member \(PlainText.quoted($0.name)) of '\(className)' is property "
          + "\(PlainText.quoted($0.property))."
      }
    }
      + listsWithNil.map {
        "\(PlainText.quoted($0)) is a collection. It is empty where it is missing or null."
      }
  }
}
