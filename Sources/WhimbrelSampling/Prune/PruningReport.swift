public import Foundation
internal import WhimbrelInspection

/// What pruning a store kept, or would keep.
///
/// As JSON it has `classes`, each with `name`, `objects`, `keptObjects`, `facets` and
/// `keptFacets`; `facets` and `lost`, texts as ``Facet`` has them; `links`, which is `follow`,
/// `nil` or `depth:2`; `picked`, how many objects were chosen for what they are and not because
/// links lead to them; `strongestLink`, the `property` whose links keep most `objects`; `perClass`; `bytes` and `keptBytes`, which is left out when nothing was
/// written. Keys are sorted.
public struct PruningReport: Hashable, Sendable {
  /// The classes, sorted by name.
  public let classes: [ClassReport]
  /// The facets of the store that the small one does not show, which were allowed to be lost.
  public let lost: [Facet]
  /// The facets that the small store shows.
  public let facets: [Facet]
  /// How far links were followed.
  public let links: StorePruning.Links
  /// How many objects were chosen for what they are, and not because links lead to them.
  public let picked: Int
  /// The property whose links keep most of the objects that are kept only because links lead to
  /// them, or nil.
  public let strongestLink: Link?
  /// How many objects of each class were asked for, as far as the limit allowed.
  public let perClass: Int
  let wantedPerClass: Int
  /// The size of the store.
  public let bytes: Int
  /// The size of the small store, or nil when nothing was written.
  public let keptBytes: Int?

  /// A property by whose links objects are kept.
  public struct Link: Hashable, Sendable, Encodable {
    /// The class and the property: `Zone.country`.
    public let property: String
    /// How many objects its links reached first.
    public let objects: Int
  }

  /// What was kept of a class.
  public struct ClassReport: Hashable, Sendable, Encodable {
    /// The name of the class.
    public let name: String
    /// How many objects it has.
    public let objects: Int
    /// How many were kept.
    public let keptObjects: Int
    /// How many facets its objects show.
    public let facets: Int
    /// How many of those the objects show that were kept.
    public let keptFacets: Int
  }

  /// How many objects the store has.
  public var objects: Int { classes.reduce(0) { $0 + $1.objects } }
  /// How many were kept.
  public var keptObjects: Int { classes.reduce(0) { $0 + $1.keptObjects } }
}

extension PruningReport: Encodable {
  private enum CodingKeys: String, CodingKey {
    case classes, lost, facets, links, picked, strongestLink, perClass, bytes, keptBytes
  }

  /// Writes the report.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(classes, forKey: .classes)
    try container.encode(lost.map(\.description), forKey: .lost)
    try container.encode(facets.map(\.description), forKey: .facets)
    try container.encode(links.description, forKey: .links)
    try container.encode(picked, forKey: .picked)
    try container.encodeIfPresent(strongestLink, forKey: .strongestLink)
    try container.encode(perClass, forKey: .perClass)
    try container.encode(bytes, forKey: .bytes)
    try container.encodeIfPresent(keptBytes, forKey: .keptBytes)
  }

  /// The report as JSON: the same bytes for the same report.
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
    let counts = "\(keptObjects) of \(objects) objects"
    guard let keptBytes else { return "Would keep \(counts)." }
    return "Kept \(counts); \(bytes) bytes became \(keptBytes)."
  }

  private var lossLines: [String] {
    if lost.isEmpty { return ["Every facet is kept."] }
    return ["Lost, as allowed:"] + lost.map { "  \(PlainText.escaped($0.description))" }
  }

  private var notes: [String] {
    var notes: [String] = []
    if perClass < wantedPerClass {
      notes.append(
        "The limit left room for \(perClass) of each class instead of \(wantedPerClass).")
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
