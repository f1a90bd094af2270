internal import WhimbrelEngine
internal import WhimbrelInspection

/// A guess of the classes of an export, made from its objects.
struct SchemaGuess {
  private var guesses: [String: ClassGuess] = [:]
  private(set) var notes: [String] = []

  private static let maximumDepth = 100

  /// The classes of the objects that the export lists, by identity.
  private var listed: [RealmObjectNode.Identity: String] = [:]

  /// The only listed class whose objects have these members, or nil if there is not exactly one.
  /// It is a cache: all listed objects are noted before the first lookup.
  private var classesByNames: [[String]: String?] = [:]

  private final class ClassGuess {
    var isEmbedded = false
    var count = 0
    /// The property names in the order of their first occurrence.
    private(set) var order: [String] = []
    var properties: [PropertyGuess] = []
    private var positions: [String: Int] = [:]

    var names: Set<String> { Set(positions.keys) }

    /// Returns the position of a property.
    ///
    /// - Parameter near: The index of the member in its object. Most objects have all members in
    ///   the same order, so it is tried first.
    func position(of name: String, near position: Int) -> Int? {
      if position < order.count, order[position] == name { return position }
      return positions[name]
    }

    func note(_ name: String, near position: Int) {
      guard self.position(of: name, near: position) == nil else { return }
      positions[name] = order.count
      order.append(name)
      properties.append(PropertyGuess())
    }
  }

  /// Notes an object that the export lists, with the names of its members. Linked objects are
  /// recognised by these names.
  mutating func noteObject(_ className: String, _ node: RealmObjectNode) throws {
    if case .index? = node.identity, let identity = node.identity { listed[identity] = className }
    note(className, try node.members())
  }

  @discardableResult
  private mutating func note(_ className: String, _ members: [RealmObjectNode.Member]) -> ClassGuess
  {
    let guess = guesses[className] ?? ClassGuess()
    for (index, member) in members.enumerated() { guess.note(member.name, near: index) }
    guesses[className] = guess
    return guess
  }

  func has(_ property: String, in className: String) -> Bool {
    guesses[className]?.position(of: property, near: 0) != nil
  }

  /// Adds the values of an object.
  mutating func look(
    at members: [RealmObjectNode.Member], of className: String, depth: Int
  ) throws {
    guard depth < Self.maximumDepth else { return }
    let guess = note(className, members)
    guess.count += 1
    for (index, (name, value)) in members.enumerated() {
      guard let position = guess.position(of: name, near: index) else { continue }
      switch value {
      case .array(let nodes):
        guess.properties[position].isList = true
        for node in nodes { try look(at: node, guess, position, of: className, depth) }
      default: try look(at: value, guess, position, of: className, depth)
      }
      guess.properties[position].count += 1
    }
  }

  private mutating func look(
    at node: RealmNode, _ guess: ClassGuess, _ position: Int, of className: String, _ depth: Int
  ) throws {
    guard case .object(let object) = node else {
      return guess.properties[position].add(scalar: node)
    }
    if let identity = object.identity, let target = listed[identity] {
      return guess.properties[position].add(.link(to: target))
    }
    let members = try object.members()
    if try RealmValueReader.decimal(object) != nil {
      guess.properties[position].add(.decimal)
    } else if object.referenceClass == nil, members.isEmpty {
      // Versions that lose data write an empty object for it.
      guess.properties[position].add(.data)
    } else if let target = object.referenceClass ?? classLike(members), isOfItsOwn(target) {
      guess.properties[position].add(.link(to: target))
    } else {
      let target = object.referenceClass ?? embeddedName(className, guess.order[position])
      guess.properties[position].add(.link(to: target))
      note(target, members).isEmbedded = true
      try look(at: members, of: target, depth: depth + 1)
    }
  }

  /// Returns whether the export lists the objects of a class. Other classes are embedded.
  private func isOfItsOwn(_ className: String) -> Bool {
    guesses[className].map { !$0.isEmbedded } ?? false
  }

  /// Returns the only class whose objects have these members.
  private mutating func classLike(_ members: [RealmObjectNode.Member]) -> String? {
    let names = members.map(\.name)
    if let known = classesByNames[names] { return known }
    let like = guesses.filter { !$0.value.isEmbedded && $0.value.names == Set(names) }
    let name = like.count == 1 ? like.first?.key : nil
    classesByNames[names] = .some(name)
    return name
  }

  /// Returns `PersonAddress` for `Person.address`.
  private func embeddedName(_ className: String, _ name: String) -> String {
    let joined = className + name.prefix(1).uppercased() + name.dropFirst()
    return isOfItsOwn(joined) ? joined + "Embedded" : joined
  }
}

extension SchemaGuess {
  mutating func classes(primaryKeys: [String: String]) -> [SchemaExport.ClassExport] {
    guesses.sorted { $0.key < $1.key }.map { className, guess in
      let properties = zip(guess.order, guess.properties).map { name, property in
        self.property(
          name, property, of: className, isMissing: property.count < guess.count,
          isPrimaryKey: primaryKeys[className] == name)
      }
      return SchemaExport.ClassExport(
        name: className, isEmbedded: guess.isEmbedded, properties: properties)
    }
  }

  private mutating func property(
    _ name: String, _ guess: PropertyGuess, of className: String, isMissing: Bool,
    isPrimaryKey: Bool
  ) -> PropertySchema {
    let type = guess.type
    if type == nil {
      notes.append("No value of '\(className).\(name)' shows its type. The type 'any' is used.")
    }
    let element = type ?? .any
    if guess.isList {
      let isOptional = guess.hasNull && element.linkTarget == nil && element != .any
      return PropertySchema(
        name: name, type: .list(of: ElementType(element, isOptional: isOptional)))
    }
    let isOptional = (guess.hasNull || isMissing) && element != .any && !isPrimaryKey
    return PropertySchema(
      name: name, type: element, isOptional: isOptional, isPrimaryKey: isPrimaryKey)
  }
}

/// A guess about a property, made from its values.
struct PropertyGuess {
  /// The number of objects that have the property.
  var count = 0
  var isList = false
  private(set) var hasNull = false
  private var types: Set<PropertyType> = []
  /// Whether there is an integer that a double would round.
  private var hasLongInteger = false

  /// The type that all values have, or nil if there are no values.
  var type: PropertyType? {
    if types == [.int, .double] { return hasLongInteger ? .any : .double }
    // Texts of several kinds are plain texts.
    if types.count > 1, types.isSubset(of: [.string, .date, .uuid, .objectId]) { return .string }
    return types.count > 1 ? .any : types.first
  }

  mutating func add(_ type: PropertyType) { types.insert(type) }

  mutating func add(scalar node: RealmNode) {
    switch node {
    case .null: hasNull = true
    case .bool: add(.bool)
    case .number(let text):
      add(Int64(text) == nil ? .double : .int)
      // A double holds every integer of up to 15 digits.
      if text.utf8.count > 15, (try? PropertyValue.scalar(text, as: .double)) == nil {
        hasLongInteger = true
      }
    case .string(let text): add(Self.type(of: text))
    case .array, .object: add(.any)
    }
  }

  private static func type(of text: String) -> PropertyType {
    // The form in which JavaScript writes dates.
    if text.utf8.count == 24, text.hasSuffix("Z"), DateText.date(iso8601: text) != nil {
      return .date
    }
    if ObjectId(text) != nil { return .objectId }
    let isUUID = text.utf8.count == 36 && (try? PropertyValue.scalar(text, as: .uuid)) != nil
    return isUUID ? .uuid : .string
  }
}
