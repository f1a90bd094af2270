package import WhimbrelEngine

extension PropertyValue {
  /// Reads the value of a property from text as people type it, or as CSV contains it.
  ///
  /// A string is written as it is. Numbers, dates, UUIDs and the like are written as in a dump but
  /// without quotes, Booleans as `true` and `false`, and nil as `null` if the property may be nil.
  /// Collections and values of any type have no text form.
  ///
  /// - Throws: ``InspectionError`` with `badArgument`.
  package init(text: String, for property: CatalogProperty) throws {
    func refused(_ reason: String) -> InspectionError {
      InspectionError.badArgument(
        text, reason, "Property \(PlainText.quoted(property.name)) holds '\(property.type)'.")
    }
    if text == "null", property.isOptional || property.type.linkedClass != nil {
      if !property.type.isCollection {
        self = .null
        return
      }
    }
    do throws(JSONProblem) {
      guard let scalar = try PropertyValue.scalar(text, as: property.type) else {
        throw JSONProblem(0, "it is not a value of type '\(property.type)'")
      }
      self = scalar
    } catch {
      throw refused(error.reason)
    }
  }

  /// Reads a scalar from text as people type it, or returns nil if it is not a value of the type.
  package static func scalar(
    _ text: String, as type: PropertyType
  ) throws(JSONProblem) -> PropertyValue? {
    let content: JSONNode.Content =
      switch type {
      case .bool: text == "true" ? .bool(true) : text == "false" ? .bool(false) : .null
      case .float, .double: Double(text)?.isFinite == true ? .number(text) : .string(text)
      default: type.isInteger ? .number(text) : .string(text)
      }
    return try scalar(JSONNode(content: content, offset: 0), as: type)
  }
}
