public import Foundation
internal import WhimbrelEngine
public import WhimbrelInspection

/// A report on the objects that pruning a store kept, or would keep.
///
/// The JSON has these members. `classes`: each with `name`, `objects`, `keptObjects`, `facets` and
/// `keptFacets`. `facets` and `lost`: texts of ``Facet``. `links`: `follow`, `nil` or, for example,
/// `depth:2`. `picked`: the number of objects that were chosen, without those that only links keep.
/// `strongestLink`: the `property` whose links keep the most `objects`. `perClass`.
/// `emptySelections`: the `className` and `query` of each selection to keep that selects nothing.
/// `bytes` and `keptBytes`; the latter is left out when nothing was written. Keys are sorted.
public struct PruningReport: Hashable, Sendable {
  /// The classes, sorted by name.
  public let classes: [ClassReport]
  /// The facets that the small store does not show. The options allowed each loss.
  public let lost: [Facet]
  /// The facets that the small store shows.
  public let facets: [Facet]
  /// The depth to which links were followed.
  public let links: StorePruning.Links
  /// The number of objects that were chosen, without those that only links keep.
  public let picked: Int
  /// The property whose links alone keep the most objects, or nil.
  public let strongestLink: Link?
  /// The number of objects asked for of each class, reduced to the limit.
  public let perClass: Int
  let wantedPerClass: Int
  /// The selections of objects to keep that select nothing.
  public let emptySelections: [ObjectSelection]
  /// The size of the store in bytes.
  public let bytes: Int
  /// The size of the small store in bytes, or nil if nothing was written.
  public let keptBytes: Int?

  /// A property whose links keep objects.
  public struct Link: Hashable, Sendable, Encodable {
    /// The class and the property: `Zone.country`.
    public let property: String
    /// The number of objects that its links reached first.
    public let objects: Int
  }

  /// A report on one class.
  public struct ClassReport: Hashable, Sendable, Encodable {
    /// The name of the class.
    public let name: String
    /// The number of objects of the class.
    public let objects: Int
    /// The number of objects that were kept.
    public let keptObjects: Int
    /// The number of facets that its objects show.
    public let facets: Int
    /// The number of these facets that the kept objects show.
    public let keptFacets: Int
  }

  /// The number of objects of the store.
  public var objects: Int { classes.reduce(0) { $0 + $1.objects } }
  /// The number of objects that were kept.
  public var keptObjects: Int { classes.reduce(0) { $0 + $1.keptObjects } }
}

extension PruningReport: Encodable {
  private enum CodingKeys: String, CodingKey {
    case classes, lost, facets, links, picked, strongestLink, perClass, emptySelections, bytes
    case keptBytes
  }

  private struct CodedSelection: Encodable {
    let className: String
    let query: String
  }

  /// Encodes the report.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(classes, forKey: .classes)
    try container.encode(lost.map(\.description), forKey: .lost)
    try container.encode(facets.map(\.description), forKey: .facets)
    try container.encode(links.description, forKey: .links)
    try container.encode(picked, forKey: .picked)
    try container.encodeIfPresent(strongestLink, forKey: .strongestLink)
    try container.encode(perClass, forKey: .perClass)
    try container.encode(
      emptySelections.map { CodedSelection(className: $0.className, query: $0.query) },
      forKey: .emptySelections)
    try container.encode(bytes, forKey: .bytes)
    try container.encodeIfPresent(keptBytes, forKey: .keptBytes)
  }

  /// Returns the report as JSON: the same bytes for the same report.
  public func json() throws -> Data { try Coding.encoder(isPretty: true).encode(self) }
}

extension StorePruning.Links: CustomStringConvertible {
  /// The text that ``init(_:)`` reads.
  public var description: String {
    switch self {
    case .follow: "follow"
    case .cut: "nil"
    case .depth(let depth): "depth:\(depth)"
    }
  }
}

extension PruningReport {
  /// The report as text for people, with a line break at its end.
  public var text: String {
    let head = ["class", "objects", "kept", "facets", "kept"]
    let rows = classes.map { entry in
      [
        PlainText.escaped(entry.name), "\(entry.objects)", "\(entry.keptObjects)",
        "\(entry.facets)", "\(entry.keptFacets)",
      ]
    }
    let table = TextTable([head] + rows, rightAligned: [1, 2, 3, 4]).description
    return table + "\n" + ([summary] + lossLines + notes).map { $0 + "\n" }.joined()
  }

  private var summary: String {
    let counts = "\(keptObjects) of \(StoreError.count(objects, "object"))"
    guard let keptBytes else { return "Would keep \(counts)." }
    return "Kept \(counts); \(bytes) bytes became \(keptBytes)."
  }

  private var lossLines: [String] {
    if lost.isEmpty { return ["Every facet is kept."] }
    return ["Lost, as allowed:"] + lost.map { "  \(PlainText.escaped($0.description))" }
  }

  private var notes: [String] {
    var notes = emptySelections.map { selection in
      let (name, query) = (selection.className, PlainText.escaped(selection.query))
      return "'--keep' selects no object of \(PlainText.quoted(name))"
        + (query.isEmpty ? "." : ": \(query)")
    }
    if perClass < wantedPerClass {
      notes.append(
        "The limit left room for only \(perClass) objects of each class instead of "
          + "\(wantedPerClass).")
    }
    let followed = keptObjects - picked
    if links == .follow, keptObjects * 2 > objects, followed * 2 > keptObjects {
      let most = strongestLink.map {
        ", \($0.objects) of them by '\(PlainText.escaped($0.property))'"
      }
      notes.append(
        "\(followed) objects were kept only because links lead to them\(most ?? ""): "
          + "'--links depth:1' keeps fewer.")
    }
    return notes
  }
}
