extension Zone {
  /// Returns the city that a zone is named after: the last part of its identifier, with spaces.
  ///
  /// `America/Argentina/Buenos_Aires` gives `Buenos Aires`. An identifier of one part, such as
  /// `UTC`, is returned as it is.
  public static func city(ofIdentifier identifier: String) -> String {
    let parts = identifier.split(separator: "/", omittingEmptySubsequences: false)
    return String(parts.last ?? "").replacing("_", with: " ")
  }
}
