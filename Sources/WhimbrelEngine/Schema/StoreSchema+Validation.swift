extension StoreSchema {
  /// The limit of a class name, in bytes of UTF-8.
  package static let classNameLimit = 57
  /// The limit of a property name, in bytes of UTF-8.
  package static let propertyNameLimit = 63
  /// The maximum number of properties of a class.
  package static let propertyCountLimit = 1_000

  /// Checks the schema against all rules.
  ///
  /// - Throws: ``StoreError`` with `invalidSchema`, which lists all problems of all classes.
  package func validate() throws(StoreError) {
    let problems = problems
    guard problems.isEmpty else { throw StoreError.invalidSchema(problems: problems) }
  }

  /// The problems of all classes, one sentence each.
  package var problems: [String] {
    let classNames = Set(classes.map(\.name))
    let embeddedNames = Set(classes.filter(\.isEmbedded).map(\.name))
    var problems: [String] = []
    var seen: Set<String> = []
    var previousNames: Set<String> = []
    for schema in classes {
      for previous in schema.previousNames {
        var subject: String {
          "The previous name \(Sentence.quoted(previous)) of class \(Sentence.quoted(schema.name))"
        }
        if classNames.contains(previous) {
          problems.append("\(subject) is still the name of a class.")
        } else if !previousNames.insert(previous).inserted {
          problems.append("\(subject) is used more than once.")
        }
      }
      if !seen.insert(schema.name).inserted {
        problems.append("Class \(Sentence.quoted(schema.name)) appears more than once.")
      }
      var validation = ClassValidation(
        of: schema, classNames: classNames, embeddedNames: embeddedNames)
      validation.run()
      problems += validation.problems
    }
    return problems
  }
}

/// The validation of one class.
///
/// Every opening runs it, so names are quoted only for a problem.
private struct ClassValidation {
  let schema: ClassSchema
  let classNames: Set<String>
  let embeddedNames: Set<String>
  var problems: [String] = []

  init(of schema: ClassSchema, classNames: Set<String>, embeddedNames: Set<String>) {
    self.schema = schema
    self.classNames = classNames
    self.embeddedNames = embeddedNames
  }

  mutating func run() {
    // The text for a problem must not read the validation while it is changed.
    let schema = schema
    checkName(schema.name, limit: StoreSchema.classNameLimit, of: "class", in: "")
    let count = schema.properties.count
    if count > StoreSchema.propertyCountLimit {
      problems.append(
        """
        Class \(Sentence.quoted(schema.name)) has \(count) properties and at most \
        \(StoreSchema.propertyCountLimit) are allowed.
        """)
    }
    var seen: Set<String> = []
    for property in schema.properties {
      if !seen.insert(property.name).inserted {
        problems.append("Property \(quoted(property)) appears more than once.")
      }
      checkName(
        property.name, limit: StoreSchema.propertyNameLimit, of: "property",
        in: " in class \(Sentence.quoted(schema.name))")
      checkLinks(of: property)
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
    if schema.isEmbedded, let key = keys.first {
      problems.append(
        """
        Class \(Sentence.quoted(schema.name)) is embedded and cannot have a primary key: \
        \(Sentence.quoted(key.name)).
        """)
    }
    problems += schema.indexProblems
    checkPreviousNames(current: seen)
  }

  /// Checks a name.
  ///
  /// - Parameter place: The text after the name in the sentence.
  private mutating func checkName(
    _ name: String, limit: Int, of what: String, in place: @autoclosure () -> String
  ) {
    guard !name.isEmpty else {
      problems.append("The name of a \(what)\(place()) is empty.")
      return
    }
    var subject: String { "The name of \(what) \(Sentence.quoted(name))\(place())" }
    if name.utf8.count > limit {
      problems.append("\(subject) takes \(name.utf8.count) bytes and at most \(limit) are allowed.")
    }
    if name.hasPrefix("_$") {
      problems.append("\(subject) starts with '_$', which is reserved.")
    }
    if name.unicodeScalars.contains(where: Self.isControl) {
      problems.append("\(subject) has a control character.")
    }
  }

  /// Returns whether a character is invalid in names, because it breaks lines or controls a
  /// terminal.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isControl || scalar == "\u{2028}" || scalar == "\u{2029}"
  }

  /// Checks the target of a link or of a collection of links.
  private mutating func checkLinks(of property: PropertySchema) {
    guard let target = property.type.linkedClass else { return }
    if !classNames.contains(target) {
      problems.append(
        """
        Property \(quoted(property)) links to class \(Sentence.quoted(target)), which is not in \
        the schema.
        """)
    }
    if property.type.linkTarget != nil, !property.isOptional {
      problems.append("Property \(quoted(property)) is a link and must be optional.")
    }
    if property.type.elementType?.isOptional == true {
      problems.append("Property \(quoted(property)) holds links, which cannot be nil.")
    }
    if case .set = property.type, embeddedNames.contains(target) {
      problems.append(
        """
        Property \(quoted(property)) is a set of embedded objects, and no two of them are equal. \
        Use a list.
        """)
    }
  }

  /// Checks everything that depends on the type: elements, the primary key, the index and the
  /// cases.
  private mutating func checkType(of property: PropertySchema) {
    let type = property.type
    if type.elementType?.type.isCollection == true {
      problems.append("Property \(quoted(property)) has collections inside a collection.")
    }
    if property.isPrimaryKey {
      if !type.canBePrimaryKey {
        problems.append("\(typed(property)) cannot be the primary key.")
      } else if property.isOptional {
        problems.append("Property \(quoted(property)) is the primary key and cannot be optional.")
      }
    }
    if property.isIndexed, !type.canBeIndexed {
      problems.append("\(typed(property)) cannot be indexed.")
    }
    let value = type.elementType?.type ?? type
    if property.cases != nil, !value.isInteger, value != .string {
      problems.append("\(typed(property)) cannot hold an enum.")
    }
  }

  /// Checks that the property can have its default value.
  private mutating func checkDefault(of property: PropertySchema) {
    if property.type.linkedClass != nil {
      let isEmpty = property.defaultValue == property.type.emptyValue.map(PropertyDefault.value)
      if property.defaultValue != .none, !isEmpty {
        let what = property.type.isCollection ? "holds links" : "is a link"
        problems.append("Property \(quoted(property)) \(what) and cannot have a default value.")
      }
      return
    }
    guard case .value(let value) = property.defaultValue,
      let problem = DefaultCheck(property).problem(of: value)
    else { return }
    problems.append("The default value of property \(quoted(property)) \(problem).")
  }

  /// Checks that previous names are no longer used, and that each belongs to one property.
  private mutating func checkPreviousNames(current: Set<String>) {
    var used: Set<String> = []
    for property in schema.properties {
      for previous in property.previousNames {
        var subject: String {
          "The previous name \(Sentence.quoted(previous)) of property \(quoted(property))"
        }
        if current.contains(previous) {
          problems.append("\(subject) is still the name of a property.")
        } else if !used.insert(previous).inserted {
          problems.append("\(subject) is used more than once.")
        }
      }
    }
  }

  /// Returns a property and its type as the subject of a sentence.
  private func typed(_ property: PropertySchema) -> String {
    "Property \(quoted(property)) of type \(Sentence.quoted(property.type.description))"
  }

  /// Returns the quoted name of a property: `'Zone.area'`.
  private func quoted(_ property: PropertySchema) -> String {
    Sentence.quoted("\(schema.name).\(property.name)")
  }
}
