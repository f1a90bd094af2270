public import Foundation
public import Whimbrel

/// A sample store: a file of one schema version, as that release wrote it.
public enum ZonesSampleStore: SchemaVersion, CaseIterable, Sendable {
  /// The coordinates are text.
  case v1 = 1
  /// The coordinates are degrees.
  case v2
  /// Zones have an identifier and a country.
  case v3
  /// Zones have an area.
  case v4
  /// Zones have a region and transitions, and countries an inverse of their
  /// zones.
  case v5
  /// Transitions are renamed to clock changes, and regions have numbers.
  case v6
  /// Zones have a city.
  case v7

  /// The version of the store's schema.
  public var version: SchemaVersion { rawValue }

  /// The name of the file: `Zones.v1.whimbrel`.
  public var fileName: String { "Zones.v\(version).whimbrel" }

  /// The folder of the sample stores in the source tree of this build.
  public static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent()  // Tools/Zones/SampleStores
    .deletingLastPathComponent()  // Tools/Zones
    .deletingLastPathComponent()  // Tools
    .deletingLastPathComponent()
    .appending(path: "SampleStores", directoryHint: .isDirectory)

  /// The folder of the tables that the stores are made from.
  public static let sourceFolder = folder.appending(
    path: "Source", directoryHint: .isDirectory)

  /// The file in the repository.
  public var url: URL { Self.folder.appending(path: fileName) }
}

extension ZonesSampleStore {
  /// Makes the file in a folder, with the models of its version.
  ///
  /// Two runs on the same kind of machine give the same bytes: the identity and
  /// the dates are fixed, and the objects are added in table order.
  ///
  /// - Throws: `StoreError` when the file cannot be written, and `CocoaError`
  ///   when it exists.
  /// - Returns: The number of objects of each class, sorted by class name.
  @discardableResult
  public func make(
    from data: SourceData, in folder: URL
  ) throws -> [(className: String, count: Int)] {
    let url = folder.appending(path: fileName)
    guard !FileManager.default.fileExists(atPath: url.path) else {
      throw CocoaError(.fileWriteFileExists, userInfo: [NSFilePathErrorKey: url.path])
    }
    let store = try makeStore(from: data, at: url)
    return try store.schema.classes.map(\.name).sorted().map { name in
      (className: name, count: try store.dynamicObjects(name).count)
    }
  }

  /// Makes a file that does not exist, and returns its store.
  func makeStore(from data: SourceData, at url: URL) throws -> Store {
    let store = try Store(configuration(at: url))
    try store.write {
      switch self {
      case .v1: try data.fillV1(store)
      case .v2: try data.fillV2(store)
      case .v3: try data.fillV3(store)
      case .v4: try data.fillV4(store)
      case .v5: try data.fillV5(store)
      case .v6: try data.fillV6(store)
      case .v7: try data.fillV7(store)
      }
    }
    return store
  }

  /// Returns the configuration of the release with this version, without its
  /// migration.
  public func configuration(at url: URL) -> Store.Configuration {
    let models: [any Model.Type] =
      switch self {
      case .v1: [SchemaV1.Zone.self]
      case .v2: [SchemaV2.Zone.self]
      case .v3: [SchemaV3.Zone.self, SchemaV3.Country.self]
      case .v4: [SchemaV4.Zone.self, SchemaV4.Country.self]
      case .v5:
        [
          SchemaV5.Zone.self, SchemaV5.Country.self, SchemaV5.Region.self, SchemaV5.Transition.self,
        ]
      case .v6:
        [
          SchemaV6.Zone.self, SchemaV6.Country.self, SchemaV6.Region.self,
          SchemaV6.ClockChange.self,
        ]
      case .v7: [Zone.self, Country.self, Region.self, ClockChange.self]
      }
    var configuration = Store.Configuration(
      url: url, models: models, schemaVersion: version)
    configuration.identity = identity
    return configuration
  }

  /// The fixed UUID and date of the store. The dates of versions are a month
  /// apart.
  var identity: StoreIdentity {
    let version = UInt8(self.version)
    let month: TimeInterval = 30 * 24 * 60 * 60
    let created = Date(timeIntervalSince1970: 1_735_689_600 + month * TimeInterval(version))
    return StoreIdentity(
      uuid: UUID(uuid: (0x5A, 0x6F, 0x6E, 0x65, 0x73, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, version)),
      date: created)
  }
}
