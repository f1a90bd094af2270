public import WhimbrelInspection

extension InspectionError.Code {
  /// Two different values became equal where they must differ.
  public static let valuesBecameEqual = Self("valuesBecameEqual")
  /// A key file cannot be read, or is not text.
  public static let cannotReadKey = Self("cannotReadKey")
}

extension InspectionError {
  /// - Parameter detail: The values that became equal.
  static func valuesBecameEqual(_ path: String, _ detail: String) -> InspectionError {
    InspectionError(
      .valuesBecameEqual,
      "Could not anonymize the store \(PlainText.quoted(path)): different values became equal: "
        + "\(PlainText.escaped(detail)).",
      "Use another key. Few other values have the shape of a short e-mail address.")
  }

  static func cannotReadKey(_ path: String) -> InspectionError {
    InspectionError(
      .cannotReadKey,
      "Could not read the key in \(PlainText.quoted(path)): the file does not exist or is not "
        + "text.",
      "Check the path and the permissions of the file, or use '--random-key'.")
  }
}
