public import Foundation
public import Whimbrel
internal import WhimbrelEngine
internal import WhimbrelInspection

/// A store file that an older release of an app has written, kept to test migrations with.
///
/// ```swift
/// @Test(arguments: try SampleStore.all(in: .module))
/// func `an old store opens with this release`(sample: SampleStore) throws {
///   try sample.migrate(with: .zones(url: sample.url)) { store in
///     store.expectCount(of: Zone.self, 312)
///     store.expectObject(Zone.self, "Europe/Andorra", ["latitude": 42.5, "country": "AD"])
///   }
/// }
/// ```
///
/// The files are named `Zones.v1.whimbrel`, by the app and the schema version, and lie in a folder
/// `SampleStores` of the test target's resources (`.copy("SampleStores")`), or in any other.
/// They are never opened themselves: opening makes a lock file, and migrating changes them. Every
/// use is of a copy, in a folder that goes away with the test.
public struct SampleStore: Hashable, Sendable {
  /// Where the file is.
  public let url: URL
  /// The schema version of the file.
  public let schemaVersion: SchemaVersion

  /// The name of the file without its extension: `Zones.v1`.
  public var name: String { url.deletingPathExtension().lastPathComponent }

  /// Finds a sample store among the resources of a bundle.
  ///
  /// - Parameters:
  ///   - name: the name of the file, with or without its extension.
  ///   - bundle: the bundle, of a test target `.module`.
  /// - Throws: ``SampleStoreError`` when there is none, with the names of those that there are, and
  ///   when its name has another version than the file.
  public init(_ name: String, in bundle: Bundle) throws {
    try self.init(name, in: Self.folder(of: bundle))
  }

  /// Finds a sample store in a folder.
  ///
  /// - Throws: as ``init(_:in:)-(String,Bundle)``.
  public init(_ name: String, in folder: URL) throws {
    let file = name.hasSuffix(".whimbrel") ? name : name + ".whimbrel"
    let url = folder.appending(path: file)
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw SampleStoreError.missing(name, in: folder, found: try Self.files(in: folder))
    }
    try self.init(url: url)
  }

  /// Takes a file for a sample store.
  ///
  /// - Throws: ``SampleStoreError`` when its name has another version than the file, and
  ///   `StoreError` when it is no store.
  public init(url: URL) throws {
    self.url = url
    let copy = try TemporaryStoreFile(copying: url)
    schemaVersion = try StoreOverview(path: copy.url.path).schema.schemaVersion
    if let named = Self.version(inNameOf: url), named != schemaVersion {
      throw SampleStoreError.wrongVersion(name, named: named, found: schemaVersion)
    }
  }

  /// All sample stores among the resources of a bundle, the oldest first.
  ///
  /// - Throws: ``SampleStoreError`` when there is none, so that a test over them cannot pass by
  ///   testing nothing.
  public static func all(in bundle: Bundle) throws -> [SampleStore] {
    try all(in: folder(of: bundle))
  }

  /// All sample stores in a folder, the oldest first.
  ///
  /// - Throws: as ``all(in:)-(Bundle)``.
  public static func all(in folder: URL) throws -> [SampleStore] {
    let stores = try files(in: folder).map { try SampleStore(url: folder.appending(path: $0)) }
    if stores.isEmpty { throw SampleStoreError.none(in: folder) }
    return stores.sorted { ($0.schemaVersion, $0.name) < ($1.schemaVersion, $1.name) }
  }

  /// Makes a copy, which goes away with the value that is returned.
  public func copy() throws -> TemporaryStoreFile { try TemporaryStoreFile(copying: url) }
}

extension SampleStore {
  private static func folder(of bundle: Bundle) -> URL {
    let resources = bundle.resourceURL ?? bundle.bundleURL
    let folder = resources.appending(path: "SampleStores", directoryHint: .isDirectory)
    return FileManager.default.fileExists(atPath: folder.path) ? folder : resources
  }

  private static func files(in folder: URL) throws -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".whimbrel") }.sorted()
  }

  /// The version in `Zones.v12.whimbrel`, or nil.
  static func version(inNameOf url: URL) -> SchemaVersion? {
    let part = url.deletingPathExtension().lastPathComponent.split(separator: ".").last ?? ""
    return part.hasPrefix("v") ? SchemaVersion(part.dropFirst()) : nil
  }
}

extension SampleStore: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}

/// Why there is no sample store where a test looks for one.
public enum SampleStoreError: Error, Hashable, CustomStringConvertible {
  /// There is none with that name; these there are.
  case missing(String, in: URL, found: [String])
  /// There is none at all.
  case none(in: URL)
  /// A file's name has a version that is not that of the file.
  case wrongVersion(String, named: SchemaVersion, found: SchemaVersion)

  /// What is wrong and what to do, as sentences.
  public var description: String {
    switch self {
    case .missing(let name, let folder, let found):
      let others =
        found.isEmpty
        ? "There is none; is the folder among the target's resources, as '.copy(\"SampleStores\")'?"
        : "These there are: \(found.joined(separator: ", "))."
      return "There is no sample store '\(name)' in '\(folder.path)'. \(others)"
    case .none(let folder):
      return
        "There are no sample stores in '\(folder.path)': files named 'App.v1.whimbrel', by the "
        + "schema version. Make one with the app's own release, and copy the folder into the test "
        + "target's resources."
    case .wrongVersion(let name, let named, let found):
      return "The sample store '\(name)' has schema version \(found), and its name says \(named). "
        + "Name it after its version, or make it again with that release."
    }
  }
}
