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
    do throws(JSONProblem) {
      self = try .value(text, for: property)
    } catch {
      throw InspectionError.badArgument(
        text, error.reason,
        "Property \(PlainText.quoted(property.name)) holds '\(property.type)'.")
    }
  }

  /// Reads the value of a property as ``init(text:for:)`` does, for a caller that knows where the
  /// text stands.
  package static func value(
    _ text: String, for property: CatalogProperty
  ) throws(JSONProblem) -> PropertyValue {
    if text == "null", property.isOptional || property.type.linkedClass != nil,
      !property.type.isCollection
    {
      return .null
    }
    if let scalar = try scalar(text, as: property.type) { return scalar }
    throw JSONProblem(0, "it is not a value of type '\(property.type)'")
  }

  /// Reads a scalar from text as people type it, or returns nil if it is not a value of the type.
  package static func scalar(
    _ text: String, as type: PropertyType
  ) throws(JSONProblem) -> PropertyValue? {
    let content: JSONNode.Content =
      switch type {
      case .bool: text == "true" ? .bool(true) : text == "false" ? .bool(false) : .null
      case .float, .double:
        ExactNumber(text) != nil || Double(text)?.isFinite == true ? .number(text) : .string(text)
      default: type.isInteger && Double(text) != nil ? .number(text) : .string(text)
      }
    return try scalar(JSONNode(content: content, offset: 0), as: type)
  }
}
