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
      "Could not anonymize the store \(PlainText.quoted(path)): values that differ became the same: "
        + "\(PlainText.escaped(detail)).",
      "Use another key. Short values with e-mail addresses have few others of their shape.")
  }

  static func cannotReadKey(_ path: String) -> InspectionError {
    InspectionError(
      .cannotReadKey,
      "Could not read the key in \(PlainText.quoted(path)): there is no such file, or it is no text.",
      "Check the path and the permissions of the file, or make a key with '--random-key'.")
  }
}
