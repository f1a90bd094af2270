internal import Synchronization

/// A cache of the catalogs that this process has parsed last. Parsing takes a large part of the
/// time to open a file, and programs open the same files repeatedly.
final class RecentCatalogs: Sendable {
  static let shared = RecentCatalogs()

  /// The limit on the number of catalogs.
  private static let limit = 4

  /// The catalogs, latest first.
  private let kept = Mutex<[LoadedCatalog]>([])

  /// Returns the catalog of a header, whose checksum the caller has compared with the file's.
  ///
  /// - Parameter parse: Parses the catalog if it is not cached.
  func catalog(of header: Header, _ parse: () throws -> LoadedCatalog) rethrows -> LoadedCatalog {
    let known = kept.withLock { kept in kept.first { $0.header == header } }
    if let known { return known }
    let parsed = try parse()
    kept.withLock { kept in
      kept.insert(parsed, at: 0)
      if kept.count > Self.limit { kept.removeLast() }
    }
    return parsed
  }
}
