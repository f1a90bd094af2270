internal import Foundation
internal import WhimbrelEngine
public import WhimbrelInspection

/// A pruning of a large store to a small one that is complete and representative. The small store
/// shows every facet of the large one (see ``StoreFacets``), and its links all lead to objects.
///
/// ```swift
/// let inspector = try StoreInspector(path: "zones.whimbrel")
/// let report = try StorePruning(.init(perClass: 3)).run(
///   inspector, into: .newFile("small.whimbrel"))
/// print(report.text)
/// ```
///
/// Objects are picked until together they show all facets. The object that shows the most missing
/// facets comes first; of equal ones, the one with the fewest links, then the smallest ID. Then
/// their links are followed as far as ``Options/links`` allows. Links that lead further become nil,
/// or are removed from collections. Embedded objects and their owners always stay together. Records
/// are copied in their layouts; only records with cut links are rewritten.
///
/// The same store and options give the same file, byte for byte.
public struct StorePruning: Sendable {
  /// The options, which say what to keep.
  public var options: Options

  /// Creates a pruning with options.
  public init(_ options: Options = Options()) { self.options = options }

  /// Returns a report on the objects that pruning a store would keep. Writes nothing.
  ///
  /// - Throws: The same as ``run(_:into:monitor:)``, except errors about the file and its size.
  /// - Complexity: O(*n*) for *n* objects, links and bytes of values. Memory holds some 60 bytes
  ///   for each object and 4 for each link.
  public func plan(
    _ inspector: StoreInspector, monitor: WorkMonitor = .silent
  ) throws -> PruningReport {
    try inspector.explaining {
      let plan = try PruningPlan(inspector, options, monitor)
      return plan.report(try plan.choose())
    }
  }

  /// Writes the small store, then reads it again and checks that it shows every facet.
  ///
  /// - Throws: ``InspectionError`` with `facetsLost` for a facet that the small store would not
  ///   show and ``Options/allowedLosses`` does not name; `tooLarge` if the objects that show the
  ///   facets do not fit within ``Options/byteLimit`` or ``Options/maximumObjects``; `badArgument`,
  ///   `fileExists` or `cancelled`. `StoreError`, for example for a damaged object. After an error
  ///   nothing is written.
  /// - Complexity: That of ``plan(_:monitor:)``, plus O(*m* log *m*) for *m* kept objects.
  public func run(
    _ inspector: StoreInspector, into output: StoreOutput, monitor: WorkMonitor = .silent
  ) throws -> PruningReport {
    try output.make(from: inspector, "prune the store into") { path in
      try inspector.explaining {
        // The plan reads the store, so it must be released before the store is replaced.
        let plan = try PruningPlan(inspector, options, monitor)
        return try PrunedFile(path: path, plan: plan).write()
      }
    }
  }
}

extension StorePruning {
  /// The depth to which the links of objects are followed.
  public enum Links: Hashable, Sendable {
    /// Links are followed to the end: all objects that an object leads to are kept.
    case follow
    /// Links are not followed.
    case cut
    /// At most this number of links in a row is followed.
    case depth(Int)
  }

  /// The options of a pruning, besides showing the facets.
  public struct Options: Hashable, Sendable {
    /// The least number of objects of each class, spread over their IDs.
    public var perClass: Int
    /// Objects that are kept whatever facets they show.
    public var keep: [ObjectSelection]
    /// Properties that the small store does not have, like `Zone.comments`. Indexes on them are
    /// dropped too.
    public var drop: [String]
    /// The depth to which links are followed; the default is to the end.
    public var links: Links
    /// The limit on the size of the file in bytes; the default is no limit. Objects that only
    /// ``perClass`` asks for are left out until the file fits.
    public var byteLimit: Int?
    /// The limit on the number of kept objects, embedded ones included; the default is no limit.
    /// Objects that only ``perClass`` asks for are left out until the limit is met.
    public var maximumObjects: Int?
    /// The texts of facets that may be lost; see ``Facet``.
    public var allowedLosses: [String]

    /// Creates options. By default all links are followed and there are no limits.
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
  /// Parses `follow`, `nil`, or a depth like `depth:2`. Returns nil for any other text.
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

  /// The limit on the number of links in a row.
  var limit: Int32 {
    switch self {
    case .follow: KeptObjects.unlimited
    case .cut: 0
    case .depth(let depth): Int32(min(max(depth, 0), Int(KeptObjects.unlimited) - 1))
    }
  }
}
