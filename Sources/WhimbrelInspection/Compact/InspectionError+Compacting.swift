extension InspectionError.Code {
  /// A store that was written anew did not pass its check.
  public static let copyNotSound = Self("copyNotSound")
}

extension InspectionError {
  /// - Parameters:
  ///   - verb: what was to be done, before the path: `compact the store`.
  ///   - finding: the first that there is.
  static func copyNotSound(_ path: String, _ verb: String, _ finding: String) -> InspectionError {
    InspectionError(
      .copyNotSound,
      "Could not \(verb) \(PlainText.quoted(path)): the new store is not sound (\(finding)).",
      "Run 'whimbrel check' on the store, and 'whimbrel salvage' if it is damaged. Nothing was changed."
    )
  }
}
