extension InspectionError.Code {
  /// Nothing can be got out of a damaged store.
  public static let nothingToSalvage = Self("nothingToSalvage")
}

extension InspectionError {
  static func noCatalog(_ path: String) -> InspectionError {
    InspectionError(
      .nothingToSalvage,
      "Could not salvage the store \(PlainText.quoted(path)): its catalog cannot be found.",
      "If there is a healthy store of the same app, name it with '--schema-from'.")
  }

  static func noObjects(_ path: String) -> InspectionError {
    InspectionError(
      .nothingToSalvage,
      "Could not salvage the store \(PlainText.quoted(path)): no object of it can be read.",
      "Restore a copy of the file. No store was made.")
  }
}
