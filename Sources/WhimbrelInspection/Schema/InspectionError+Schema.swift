extension InspectionError.Code {
  /// A file is no export of a schema.
  public static let badSchema = Self("badSchema")
}

extension InspectionError {
  /// - Parameter reason: without a full stop.
  package static func badSchema(_ name: String, _ reason: String) -> InspectionError {
    InspectionError(
      .badSchema, "Could not read the schema \(PlainText.quoted(name)): \(reason).",
      "Give a store, or what 'whimbrel schema --json' wrote.")
  }
}
