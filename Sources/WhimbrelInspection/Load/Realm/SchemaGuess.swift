internal import WhimbrelEngine

/// What is known of the classes of an export from its objects.
struct SchemaGuess {
  private var guesses: [String: ClassGuess] = [:]
  private(set) var notes: [String] = []

  private static let maximumDepth = 100

  /// What is known of a class.
  private struct ClassGuess {
    var isEmbedded = false
    var count = 0
    /// The names in the order of the first object that has them.
    var order: [String] = []
    var properties: [String: PropertyGuess] = [:]

    var names: Set<String> { Set(order) }
  }

  /// Notes the names of an object's members: linked objects are recognised by these.
  mutating func noteClass(
    _ className: String, _ members: [(name: String, value: RealmNode)]
  ) {
    var guess = guesses.removeValue(forKey: className) ?? ClassGuess()
    for (name, _) in members where guess.properties[name] == nil {
      guess.order.append(name)
      guess.properties[name] = PropertyGuess()
    }
    guesses[className] = guess
  }

  func has(_ property: String, in className: String) -> Bool {
    guesses[className]?.properties[property] != nil
  }

  /// Takes the values of an object into account.
  mutating func look(
    at members: [(name: String, value: RealmNode)], of className: String, depth: Int
  ) throws {
    guard depth < Self.maximumDepth else { return }
    noteClass(className, members)
    guesses[className]?.count += 1
    for (name, value) in members {
      switch value {
      case .array(let nodes):
        guesses[className]?.properties[name]?.isList = true
        for node in nodes { try look(at: node, name, of: className, depth) }
      default: try look(at: value, name, of: className, depth)
      }
      guesses[className]?.properties[name]?.count += 1
    }
  }

  private mutating func look(
    at node: RealmNode, _ name: String, of className: String, _ depth: Int
  ) throws {
    guard case .object(let object) = node else {
      guesses[className]?.properties[name]?.add(scalar: node)
      return
    }
    let members = try object.members()
    if try RealmValueReader.decimal(object) != nil {
      guesses[className]?.properties[name]?.add(.decimal)
    } else if object.referenceClass == nil, members.isEmpty {
      // What versions without data make of it.
      guesses[className]?.properties[name]?.add(.data)
    } else if let target = object.referenceClass ?? classLike(members), isOfItsOwn(target) {
      guesses[className]?.properties[name]?.add(.link(to: target))
    } else {
      let target = object.referenceClass ?? embeddedName(className, name)
      guesses[className]?.properties[name]?.add(.link(to: target))
      noteClass(target, members)
      guesses[target]?.isEmbedded = true
      try look(at: members, of: target, depth: depth + 1)
    }
  }

  /// Whether the export lists the objects of a class; those of others are embedded.
  private func isOfItsOwn(_ className: String) -> Bool {
    guesses[className].map { !$0.isEmbedded } ?? false
  }

  /// The one class whose objects have these members.
  private func classLike(_ members: [(name: String, value: RealmNode)]) -> String? {
    let names = Set(members.map(\.name))
    let like = guesses.filter { !$0.value.isEmbedded && $0.value.names == names }
    return like.count == 1 ? like.first?.key : nil
  }

  /// `PersonAddress` for `Person.address`.
  private func embeddedName(_ className: String, _ name: String) -> String {
    let joined = className + name.prefix(1).uppercased() + name.dropFirst()
    return isOfItsOwn(joined) ? joined + "Embedded" : joined
  }
}

extension SchemaGuess {
  /// The classes as far as they are known.
  mutating func classes(primaryKeys: [String: String]) -> [SchemaExport.ClassExport] {
    guesses.sorted { $0.key < $1.key }.map { className, guess in
      let properties = guess.order.compactMap { name in
        guess.properties[name].map { property in
          self.property(
            name, property, of: className, isMissing: property.count < guess.count,
            isPrimaryKey: primaryKeys[className] == name)
        }
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
      notes.append("No value of '\(className).\(name)' says what its type is: it is taken for any.")
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

/// What is known of a property from its values.
struct PropertyGuess {
  /// How many objects have it.
  var count = 0
  var isList = false
  private(set) var hasNull = false
  private var types: Set<PropertyType> = []

  /// The type that all values have, or nil when there are none.
  var type: PropertyType? {
    if types == [.int, .double] { return .double }
    // Texts of several kinds are texts.
    if types.count > 1, types.isSubset(of: [.string, .date, .uuid, .objectId]) { return .string }
    return types.count > 1 ? .any : types.first
  }

  mutating func add(_ type: PropertyType) { types.insert(type) }

  mutating func add(scalar node: RealmNode) {
    switch node {
    case .null: hasNull = true
    case .bool: add(.bool)
    case .number(let text): add(Int64(text) == nil ? .double : .int)
    case .string(let text): add(Self.type(of: text))
    case .array, .object: add(.any)
    }
  }

  private static func type(of text: String) -> PropertyType {
    // As JavaScript writes dates.
    if text.utf8.count == 24, text.hasSuffix("Z"), DateText.date(iso8601: text) != nil {
      return .date
    }
    if ObjectId(text) != nil { return .objectId }
    let isUUID = text.utf8.count == 36 && PropertyValue.isUUID(text)
    return isUUID ? .uuid : .string
  }
}

extension PropertyValue {
  /// Whether a text is a UUID.
  fileprivate static func isUUID(_ text: String) -> Bool {
    let node = JSONNode(content: .string(text), offset: 0)
    return (try? PropertyValue.scalar(node, as: .uuid)) != nil
  }
}
