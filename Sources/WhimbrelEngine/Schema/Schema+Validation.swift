extension Schema {
  /// How many bytes of UTF-8 the name of a class takes at most.
  package static let classNameLimit = 57
  /// How many bytes of UTF-8 the name of a property takes at most.
  package static let propertyNameLimit = 63
  /// How many properties a class has at most.
  package static let propertyCountLimit = 1_000

  /// Checks that the schema keeps all rules, so that a store can have it.
  ///
  /// - Throws: ``StoreError`` with the code `invalidSchema`, which lists all
  ///   problems of all classes.
  package func validate() throws(StoreError) {
    let classNames = Set(classes.map(\.name))
    var problems: [String] = []
    var seen: Set<String> = []
    for schema in classes {
      if !seen.insert(schema.name).inserted {
        problems.append("Class \(Sentence.quoted(schema.name)) appears more than once.")
      }
      var validation = ClassValidation(of: schema, classNames: classNames)
      validation.run()
      problems += validation.problems
    }
    guard problems.isEmpty else { throw StoreError.invalidSchema(problems: problems) }
  }
}

/// The checks of one class.
private struct ClassValidation {
  let schema: ClassSchema
  /// The names of all classes of the schema.
  let classNames: Set<String>
  var problems: [String] = []

  init(of schema: ClassSchema, classNames: Set<String>) {
    self.schema = schema
    self.classNames = classNames
  }

  mutating func run() {
    checkName(schema.name, limit: Schema.classNameLimit, of: "class", in: "")
    let count = schema.properties.count
    if count > Schema.propertyCountLimit {
      problems.append(
        """
        Class \(Sentence.quoted(schema.name)) has \(count) properties and at most \
        \(Schema.propertyCountLimit) are allowed.
        """)
    }
    var seen: Set<String> = []
    for property in schema.properties {
      if !seen.insert(property.name).inserted {
        problems.append("Property \(quoted(property)) appears more than once.")
      }
      checkName(
        property.name, limit: Schema.propertyNameLimit, of: "property",
        in: " in class \(Sentence.quoted(schema.name))")
      checkType(of: property)
      checkDefault(of: property)
    }
    let keys = schema.properties.filter(\.isPrimaryKey)
    if keys.count > 1 {
      problems.append(
        """
        Class \(Sentence.quoted(schema.name)) has several primary keys: \
        \(Sentence.names(keys.map(\.name))).
        """)
    }
    checkPreviousNames(current: seen)
  }

  /// Checks a name; `place` follows it in the sentence.
  private mutating func checkName(
    _ name: String, limit: Int, of what: String, in place: String
  ) {
    guard !name.isEmpty else {
      problems.append("The name of a \(what)\(place) is empty.")
      return
    }
    let subject = "The name of \(what) \(Sentence.quoted(name))\(place)"
    if name.utf8.count > limit {
      problems.append("\(subject) takes \(name.utf8.count) bytes and at most \(limit) are allowed.")
    }
    if name.hasPrefix("_$") {
      problems.append("\(subject) starts with '_$', which is reserved.")
    } else if !name.unicodeScalars.allSatisfy(Self.isAllowed) {
      problems.append("\(subject) may have only letters, digits and '_'.")
    }
  }

  /// Whether a name may have this character: a letter, also one that is made of
  /// several parts, a digit or `_`.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber: true
    default: scalar.properties.isAlphabetic || scalar == "_"
    }
  }

  /// Checks what the type allows: links, keys, indexes and enums.
  private mutating func checkType(of property: PropertySchema) {
    let name = quoted(property)
    let type = property.type
    if let target = type.linkTarget {
      if !classNames.contains(target) {
        problems.append(
          """
          Property \(name) links to class \(Sentence.quoted(target)), which is not in the schema.
          """)
      }
      if !property.isOptional {
        problems.append("Property \(name) is a link and must be optional.")
      }
    }
    if property.isPrimaryKey {
      if !type.canBePrimaryKey {
        problems.append(
          """
          Property \(name) of type \(Sentence.quoted(type.description)) cannot be the primary key.
          """)
      } else if property.isOptional {
        problems.append("Property \(name) is the primary key and cannot be optional.")
      }
    }
    if property.isIndexed, !type.canBeIndexed {
      problems.append(
        "Property \(name) of type \(Sentence.quoted(type.description)) cannot be indexed.")
    }
    if property.cases != nil, !type.isInteger, type != .string {
      problems.append(
        "Property \(name) of type \(Sentence.quoted(type.description)) cannot hold an enum.")
    }
  }

  /// Checks that a default value is one that the property can have.
  private mutating func checkDefault(of property: PropertySchema) {
    let name = quoted(property)
    if property.type.linkTarget != nil {
      if property.defaultValue != .none {
        problems.append("Property \(name) is a link and cannot have a default value.")
      }
      return
    }
    guard case .value(let value) = property.defaultValue else { return }
    let subject = "The default value of property \(name)"
    let type = Sentence.quoted(property.type.description)
    if value.isNull {
      if !property.isOptional { problems.append("\(subject) is nil and it is required.") }
    } else if case .int(let number) = value, let bounds = property.type.integerBounds {
      if !bounds.contains(number) { problems.append("\(subject) does not fit into \(type).") }
    } else if value.kind != property.type.description {
      problems.append("\(subject) is of type '\(value.kind)' and the property of type \(type).")
    }
  }

  /// Checks that previous names are of the past, and each of one property.
  private mutating func checkPreviousNames(current: Set<String>) {
    var used: Set<String> = []
    for property in schema.properties {
      for previous in property.previousNames {
        let subject =
          "The previous name \(Sentence.quoted(previous)) of property \(quoted(property))"
        if current.contains(previous) {
          problems.append("\(subject) is still that of a property.")
        } else if !used.insert(previous).inserted {
          problems.append("\(subject) is used more than once.")
        }
      }
    }
  }

  /// A property as `'Zone.area'`.
  private func quoted(_ property: PropertySchema) -> String {
    Sentence.quoted("\(schema.name).\(property.name)")
  }
}
