internal import Synchronization

/// The catalogs that this process has parsed last: parsing takes a good part of opening a file, and
/// programs open the same files again and again.
final class RecentCatalogs: Sendable {
  static let shared = RecentCatalogs()

  /// The limit on the number of catalogs.
  private static let limit = 4

  /// The last one comes first.
  private let kept = Mutex<[LoadedCatalog]>([])

  /// Returns the catalog of a header, whose checksum the caller has compared with the file's.
  ///
  /// - Parameter parse: Makes the catalog if it is not there.
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
