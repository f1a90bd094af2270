internal import WhimbrelEngine

extension InspectionError.Code {
  /// The file has an older format. Only opening it with an app upgrades it.
  public static let formatTooOld = Self("formatTooOld")
  /// An embedded object was to be added without an owner.
  public static let embeddedAlone = Self("embeddedAlone")
  /// A value of a damaged object cannot be read, and the property is required and has no default.
  public static let unreadableValue = Self("unreadableValue")
}

extension InspectionError {
  static func formatTooOld(_ path: String, format: Int) -> InspectionError {
    InspectionError(
      .formatTooOld,
      "Could not change the store \(PlainText.quoted(path)): its file format \(format) is too old.",
      "Open it once with an app, which upgrades it, or dump it and load the dump into a new store.")
  }

  static func embeddedAlone(_ className: String) -> InspectionError {
    InspectionError(
      .embeddedAlone,
      "Could not add an object of class \(PlainText.quoted(className)): its objects are embedded "
        + "in others.",
      "Give it as part of its owner's JSON, such as "
        + "'{\"address\": {\"street\": \"Main Street\"}}'.")
  }

  static func unreadableValue(
    _ property: CatalogProperty, of className: String, _ id: ObjectID, path: String
  ) -> InspectionError {
    let name = PlainText.quoted(property.name)
    let before =
      "Could not change object \(ClassTable.name(of: id)) of class \(PlainText.quoted(className)): "
      + "its "
    if property.isPrimaryKey {
      return InspectionError(
        .unreadableValue, before + "primary key \(name) cannot be read.",
        "'whimbrel salvage \(ErrorWords.argument(path)) saved.whimbrel' creates a new store "
          + "without the object. Nothing was changed.")
    }
    return InspectionError(
      .unreadableValue,
      before + "value of \(name) cannot be read, and the property has no default and is never nil.",
      "Give it a value, such as '\(PlainText.escaped(property.name))=…'. Nothing was changed.")
  }

  static func cannotBackUp(
    _ path: String, to backup: String, _ error: StoreError
  ) -> InspectionError {
    let reason =
      switch error.code {
      case .fileExists: "the file already exists"
      case .parentFolderMissing: "its folder does not exist"
      case .readOnlyFolder: "its folder cannot be written to"
      default: PlainText.escaped(error.reason)
      }
    return InspectionError(
      .cannotWrite,
      "Could not copy the store \(PlainText.quoted(path)) to \(PlainText.quoted(backup)): "
        + "\(reason).",
      "Choose a path that does not exist yet, on a disk with enough space. The store was not "
        + "changed.")
  }

  static func givenTwice(class className: String, _ property: String) -> InspectionError {
    badArgument(
      property, "property \(PlainText.quoted("\(className).\(property)")) is given twice",
      "Give it once.")
  }

  static func badValue(
    _ text: String, class className: String, _ problem: JSONProblem
  ) -> InspectionError {
    badValue(
      text, class: className, "\(problem.reason), at column \(problem.column(in: text.utf8))")
  }

  static func badValue(
    _ text: String, class className: String, _ reason: String
  ) -> InspectionError {
    badArgument(
      text.count > 200 ? text.prefix(200) + "…" : text, reason,
      "Give the values of class \(PlainText.quoted(className)) as text such as 'latitude=48.87', "
        + "or as one JSON object with values as 'whimbrel dump' writes them.")
  }

  static func requiredAndNull(
    _ property: CatalogProperty, of className: String
  ) -> InspectionError {
    let name = PlainText.quoted("\(className).\(property.name)")
    return badArgument(
      "\(property.name)=null", "\(name) is required and cannot be nil",
      property.type == .string
        ? "To set the text, write it in double quotes: '\(property.name)=\"null\"'."
        : "Property \(name) holds '\(property.type)'.")
  }

  static func badQuotes(
    _ text: String, _ property: CatalogProperty, of className: String
  ) -> InspectionError {
    badArgument(
      text,
      "the value of \(PlainText.quoted("\(className).\(property.name)")) is in double quotes but "
        + "is not a JSON string",
      "Put a backslash before each quote inside it, as in '\"say \\\"hello\\\"\"'.")
  }

  /// Returns the error with the class of the property.
  func about(_ property: CatalogProperty, of className: String) -> InspectionError {
    let name = PlainText.quoted("\(className).\(property.name)")
    return InspectionError(code, message, "Property \(name) holds '\(property.type)'.")
  }
}
