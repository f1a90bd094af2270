public import Foundation

/// The manifest of the sample stores, `SampleStores/README.md`.
public struct SampleStoreManifest: Sendable {
  /// A sample store that was made.
  public struct Entry: Sendable {
    /// The store.
    public let store: ZonesSampleStore
    /// The size of the file in bytes.
    public let byteCount: Int
    /// The number of objects of each class.
    public let counts: [(className: String, count: Int)]
  }

  /// The stores, oldest first.
  public let entries: [Entry]

  /// Makes sample stores in a folder, and their manifest.
  public init(making stores: [ZonesSampleStore], from data: SourceData, in folder: URL) throws {
    entries = try stores.map { store in
      let counts = try store.make(from: data, in: folder)
      let file = folder.appending(path: store.fileName)
      let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
      return Entry(store: store, byteCount: size ?? 0, counts: counts)
    }
  }

  /// The name of the manifest file.
  public static let fileName = "README.md"

  /// The text of the manifest.
  public var text: String {
    let rows = entries.map { entry in
      let counts = entry.counts.map { "\($0.count) `\($0.className)`" }.joined(separator: ", ")
      return "| `\(entry.store.fileName)` | \(entry.store.version) | \(counts) "
        + "| \(entry.byteCount) |"
    }
    return """
      # Sample stores

      The world's time zones and countries, as each release of the sample app (`Tools/Zones`) wrote \
      them: one file a schema version, each made with that version's own models.

      | file | schema version | objects | bytes |
      |---|---|---|---|
      \(rows.joined(separator: "\n"))

      - **Version 1**: `Zone` { `name` (primary key), `countryCodes`, `coordinates`, `comments`? }.
      - **Version 2**: `latitude` and `longitude` in degrees take the place of `coordinates`.
      - **Version 3**: `name` becomes `identifier`; `Country` { `code` (primary key), `name` } \
      appears, and `Zone.country` leads to the first of the zone's codes.
      - **Version 4**: `comments` is required, "" by default; `area` is computed from the \
      identifier; `isPopular` is added, false by default.
      - **Version 5**: `Region` { `name` (primary key) } takes the place of `Zone.area`; \
      `Zone.transitions` is a list of embedded `Transition` { `date`, `offset`, `abbreviation` }; \
      `Country.zones` is the inverse of `Zone.country`.
      - **Version 6**: `Transition` becomes `ClockChange`, and `transitions` `clockChanges`; \
      `Region.code`, a number, takes the place of `name` as the primary key.
      - **Version 7**: `Zone.city`, indexed, is computed from the identifier: by an online rule \
      from version 6, and by the migration closure from earlier versions.

      `Source/` holds the tables `zone1970.tab` and `iso3166.tab` of the \
      [tz database](https://www.iana.org/time-zones), which are in the public domain.

      `Formats/` holds a store of each older file format, which no release writes any more: \
      format, then name. `\(ZonesSampleStore.transitionFileName)` has the format that a file has \
      while an online migration lasts: version 7 has opened a store of version 6, converted the \
      first 64 zones in the background, written each sixth zone, and closed it. \
      \(ZonesSampleStore.convertedCount) of 312 zones are converted.

      Work on copies: opening a store makes a lock file beside it, and migrating changes it. The \
      files, those of older formats apart, and this page are written by `swift run MakeSampleStores` and compared, byte for byte, \
      by `swift run MakeSampleStores --check`. They are made on Linux x86-64, with pages of 4 KiB.

      """
  }
}
