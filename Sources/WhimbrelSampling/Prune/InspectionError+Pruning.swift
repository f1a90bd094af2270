internal import WhimbrelEngine
public import WhimbrelInspection

extension InspectionError.Code {
  /// A pruned store would not show every facet of the store.
  public static let facetsLost = Self("facetsLost")
  /// The objects that show the facets of a store do not fit within the allowed size.
  public static let tooLarge = Self("tooLarge")
  /// A store has more objects or links than can be numbered.
  public static let tooManyObjects = Self("tooManyObjects")
}

extension InspectionError {
  static func facetsLost(_ path: String, _ facets: [Facet]) -> InspectionError {
    InspectionError(
      .facetsLost,
      "Could not prune the store \(PlainText.quoted(path)): "
        + "\(StoreError.count(facets.count, "facet")) would be lost: "
        + "\(PlainText.list(facets.map(\.description))).",
      "Name each in '--allow-loss', or drop fewer properties. Nothing was written.")
  }

  static func tooLarge(
    _ path: String, limit: Int, objects: Int, bytes: Int, largest: String?
  ) -> InspectionError {
    InspectionError(
      .tooLarge,
      "Could not prune the store into \(PlainText.quoted(path)): the \(objects) objects that are "
        + "needed take \(bytes) bytes, and with pages and indexes the file would exceed \(limit)"
        + (largest.map { "; the largest is \($0)" } ?? "") + ".",
      "Allow more bytes, drop properties with '--drop', or keep fewer linked objects with '--links "
        + "nil'. Nothing was written.")
  }

  static func tooManyKept(
    _ path: String, limit: Int, objects: Int, _ link: PruningReport.Link?,
    _ links: StorePruning.Links
  ) -> InspectionError {
    let fewer =
      switch links {
      case .follow, .depth(2...):
        ", or keep fewer linked objects with '--links depth:1' or '--links nil'"
      case .depth: ", or keep no linked objects with '--links nil'"
      case .cut: ""
      }
    let reason = link.map {
      " \($0.objects) of them are needed only because \(PlainText.quoted($0.property)) links to "
        + "them."
    }
    return InspectionError(
      .tooLarge,
      "Could not prune the store \(PlainText.quoted(path)): \(objects) objects are needed to show "
        + "its facets, but at most \(limit) are allowed.\(reason ?? "")",
      "Allow more objects\(fewer). Nothing was written.")
  }

  static func tooManyObjects(_ count: Int) -> InspectionError {
    InspectionError(
      .tooManyObjects,
      "Could not find the facets of the store: it has \(count) objects or links of one kind, but "
        + "at most \(UInt32.max - 1) can be compared.",
      "Load a part of it from a dump, and prune that.")
  }
}
