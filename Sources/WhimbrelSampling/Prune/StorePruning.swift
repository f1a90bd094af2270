internal import Foundation
internal import WhimbrelEngine
public import WhimbrelInspection

/// Makes a small store of a large one that is complete and representative: it shows every facet
/// that the large one shows, see ``StoreFacets``, and its links lead somewhere.
///
/// ```swift
/// let inspector = try StoreInspector(path: "zones.whimbrel")
/// let report = try StorePruning(.init(perClass: 3)).run(inspector, into: .newFile("small.whimbrel"))
/// print(report.text)
/// ```
///
/// Objects are picked that together show all facets, those that show most first, and of equal
/// ones those with the fewest links, then the smallest IDs. Links are then followed from them,
/// as far as ``Options/links`` says; links that lead further become nil, or drop out of
/// collections. Embedded objects and their owners always stay together. Records are copied as
/// they are, in the layouts that they have; only those whose links are cut are written anew.
///
/// The same store and options give the same file, byte for byte.
public struct StorePruning: Sendable {
  /// What is to be kept.
  public var options: Options

  /// Makes a pruning with options.
  public init(_ options: Options = Options()) { self.options = options }

  /// Says what pruning a store would keep; nothing is written.
  ///
  /// - Throws: the same as ``run(_:into:monitor:)``, but for the size of the file and what
  ///   writing it may throw.
  /// - Complexity: O(*n*) for *n* objects, links and bytes of values; in memory are some 60 bytes
  ///   for each object and 4 for each link.
  public func plan(
    _ inspector: StoreInspector, monitor: WorkMonitor = .silent
  ) throws -> PruningReport {
    try inspector.explaining {
      let plan = try PruningPlan(inspector, options, monitor)
      return plan.report(try plan.choose())
    }
  }

  /// Makes the small store. It is read again in the end, and every facet looked for in it.
  ///
  /// - Throws: ``InspectionError`` with `facetsLost` for a facet that the small store would not
  ///   show and ``Options/allowedLosses`` does not name, `tooLarge` when what shows the facets does
  ///   not fit into ``Options/byteLimit`` or ``Options/maximumObjects``, `badArgument`, `fileExists` or `cancelled`; and
  ///   `StoreError`, as for a damaged object. Nothing is written then.
  /// - Complexity: as that of ``plan(_:monitor:)``, and O(*m* log *m*) for *m* objects that are
  ///   kept.
  public func run(
    _ inspector: StoreInspector, into output: StoreOutput, monitor: WorkMonitor = .silent
  ) throws -> PruningReport {
    try output.make(from: inspector, "prune the store into") { path in
      try inspector.explaining {
        // It has to be gone when the store is replaced, and so is not kept beyond here.
        let plan = try PruningPlan(inspector, options, monitor)
        return try PrunedFile(path: path, plan: plan).write()
      }
    }
  }
}

extension StorePruning {
  /// How far the links of objects are followed.
  public enum Links: Hashable, Sendable {
    /// To the end: whatever an object leads to is kept.
    case follow
    /// Not at all.
    case cut
    /// So many, one behind the other.
    case depth(Int)
  }

  /// What a small store is to have, beside what shows the facets.
  public struct Options: Hashable, Sendable {
    /// At least so many objects of each class, spread over their IDs.
    public var perClass: Int
    /// Objects that are kept whatever they show.
    public var keep: [ObjectSelection]
    /// Properties that the small store does not have, as `Zone.comments`. What is indexed with
    /// them loses the index.
    public var drop: [String]
    /// How far links are followed; the default is to the end.
    public var links: Links
    /// How large the file may be. Objects that ``perClass`` asks for are left out until it is no
    /// larger.
    public var byteLimit: Int?
    /// How many objects may be kept, embedded ones included. Those that ``perClass`` asks for are
    /// left out until there are no more; the default is any number.
    public var maximumObjects: Int?
    /// The texts of facets that may be lost; see ``Facet``.
    public var allowedLosses: [String]

    /// Makes options.
    public init(
      perClass: Int = 0, keep: [ObjectSelection] = [], drop: [String] = [],
      links: Links = .follow, byteLimit: Int? = nil, maximumObjects: Int? = nil,
      allowedLosses: [String] = []
    ) {
      self.perClass = perClass
      self.keep = keep
      self.drop = drop
      self.links = links
      self.byteLimit = byteLimit
      self.maximumObjects = maximumObjects
      self.allowedLosses = allowedLosses
    }
  }
}

extension StorePruning.Links {
  /// Reads `follow`, `nil`, or `depth:2`; nil for any other text.
  public init?(_ text: String) {
    switch text {
    case "follow": self = .follow
    case "nil": self = .cut
    default:
      guard text.hasPrefix("depth"), let mark = text.dropFirst(5).first, ":= ".contains(mark),
        let depth = Int(text.dropFirst(6)), depth >= 0
      else { return nil }
      self = .depth(depth)
    }
  }

  /// How many links are followed, one behind the other.
  var limit: Int32 {
    switch self {
    case .follow: KeptObjects.unlimited
    case .cut: 0
    case .depth(let depth): Int32(min(max(depth, 0), Int(KeptObjects.unlimited) - 1))
    }
  }
}
