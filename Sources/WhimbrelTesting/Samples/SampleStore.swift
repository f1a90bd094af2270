public import Foundation
public import Whimbrel
internal import WhimbrelEngine
internal import WhimbrelInspection

/// A store file written by an older release of an app, kept to test migrations.
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
/// Files are named after the app and the schema version, such as `Zones.v1.whimbrel`. They
/// are in the folder `SampleStores` of the test target's resources
/// (`.copy("SampleStores")`), or in any other folder. Tests never open them directly,
/// because opening creates a lock file and migrating changes the file. Every use works on a
/// copy, in a folder that is removed with the test.
public struct SampleStore: Hashable, Sendable {
  /// The location of the file.
  public let url: URL
  /// The schema version of the file.
  public let schemaVersion: SchemaVersion

  /// The name of the file without its extension: `Zones.v1`.
  public var name: String { url.deletingPathExtension().lastPathComponent }

  /// Finds a sample store among the resources of a bundle.
  ///
  /// - Parameters:
  ///   - name: The name of the file, with or without its extension.
  ///   - bundle: The bundle; in a test target, `.module`.
  /// - Throws: ``SampleStoreError`` if the file does not exist, with the names of those
  ///   that do, and if its name has another version than the file.
  public init(_ name: String, in bundle: Bundle) throws {
    try self.init(name, in: Self.folder(of: bundle))
  }

  /// Finds a sample store in a folder.
  ///
  /// - Throws: the same errors as ``init(_:in:)-(String,Bundle)``.
  public init(_ name: String, in folder: URL) throws {
    let file = name.hasSuffix(".whimbrel") ? name : name + ".whimbrel"
    let url = folder.appending(path: file)
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw SampleStoreError.missing(name, in: folder, found: try Self.files(in: folder))
    }
    try self.init(url: url)
  }

  /// Makes a sample store of a file.
  ///
  /// - Throws: ``SampleStoreError`` if the name has another version than the file, and
  ///   `StoreError` if the file is not a store.
  public init(url: URL) throws {
    self.url = url
    let copy = try TemporaryStoreFile(copying: url)
    schemaVersion = try StoreOverview(path: copy.url.path).schema.schemaVersion
    if let named = Self.version(inNameOf: url), named != schemaVersion {
      throw SampleStoreError.wrongVersion(name, named: named, found: schemaVersion)
    }
  }

  /// Returns all sample stores among the resources of a bundle, the oldest first.
  ///
  /// - Throws: ``SampleStoreError`` if there are none. A test over them can therefore not
  ///   pass without testing anything.
  public static func all(in bundle: Bundle) throws -> [SampleStore] {
    try all(in: folder(of: bundle))
  }

  /// Returns all sample stores in a folder, the oldest first.
  ///
  /// - Throws: the same errors as ``all(in:)-(Bundle)``.
  public static func all(in folder: URL) throws -> [SampleStore] {
    let stores = try files(in: folder).map { try SampleStore(url: folder.appending(path: $0)) }
    if stores.isEmpty { throw SampleStoreError.none(in: folder) }
    return stores.sorted { ($0.schemaVersion, $0.name) < ($1.schemaVersion, $1.name) }
  }

  /// Copies the file. The copy is removed with the returned value.
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

  /// Returns the version in a name such as `Zones.v12.whimbrel`, or nil.
  static func version(inNameOf url: URL) -> SchemaVersion? {
    let part = url.deletingPathExtension().lastPathComponent.split(separator: ".").last ?? ""
    return part.hasPrefix("v") ? SchemaVersion(part.dropFirst()) : nil
  }
}

extension SampleStore: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}

/// An error about the sample stores of a test.
public enum SampleStoreError: Error, Hashable, CustomStringConvertible {
  /// There is no sample store with this name. `found` has the names of the others.
  case missing(String, in: URL, found: [String])
  /// There are no sample stores in the folder.
  case none(in: URL)
  /// The version in the name of a file is not the version of the file.
  case wrongVersion(String, named: SchemaVersion, found: SchemaVersion)

  /// The problem and advice on how to fix it, as sentences.
  public var description: String {
    switch self {
    case .missing(let name, let folder, let found):
      let others =
        found.isEmpty
        ? "The folder has none. Is it among the target's resources, as '.copy(\"SampleStores\")'?"
        : "The folder has: \(found.joined(separator: ", "))."
      return "There is no sample store '\(name)' in '\(folder.path)'. \(others)"
    case .none(let folder):
      return
        "There are no sample stores in '\(folder.path)'. Their names end in the schema version, "
        + "such as 'App.v1.whimbrel'. Create one with a release of the app, and add the folder to "
        + "the test target's resources."
    case .wrongVersion(let name, let named, let found):
      return "The sample store '\(name)' has schema version \(found), but its name says \(named). "
        + "Rename it, or create it again with that release."
    }
  }
}
