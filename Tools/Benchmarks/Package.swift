// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
]

let package = Package(
  name: "WhimbrelBenchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Whimbrel", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    // Whimbrel does not export its liblmdb module as a product, so the
    // benchmark has its own.
    .systemLibrary(
      name: "CBenchLMDB", pkgConfig: "lmdb",
      providers: [.apt(["liblmdb-dev"])]),
    // Release builds compile C with -O2.
    .target(name: "CBenchStore", dependencies: ["CBenchLMDB"]),
    .executableTarget(
      name: "bench",
      dependencies: [
        "CBenchLMDB", "CBenchStore",
        .product(name: "Whimbrel", package: "Whimbrel"),
        .product(name: "WhimbrelInspection", package: "Whimbrel"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
