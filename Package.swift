// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// Not MemberImportVisibility: C structures such as `stat` belong to whichever module of the system
// the compiler has loaded first. Their members would then be hidden from files that import
// Foundation, depending on what else a build contains.
let settings: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
]

let package = Package(
  name: "Whimbrel",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "Whimbrel", targets: ["Whimbrel"]),
    .library(name: "WhimbrelImport", targets: ["WhimbrelImport"]),
    .library(name: "WhimbrelInspection", targets: ["WhimbrelInspection"]),
    .library(name: "WhimbrelSampling", targets: ["WhimbrelSampling"]),
    .library(name: "WhimbrelTesting", targets: ["WhimbrelTesting"]),
    .executable(name: "whimbrel", targets: ["WhimbrelTool"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CWhimbrelLMDB", pkgConfig: "lmdb",
      providers: [.apt(["liblmdb-dev"])]),
    .target(name: "WhimbrelLMDB", dependencies: ["CWhimbrelLMDB"], swiftSettings: settings),
    .target(
      name: "WhimbrelEngine",
      dependencies: ["WhimbrelLMDB", .product(name: "Logging", package: "swift-log")],
      swiftSettings: settings),
    .macro(
      name: "WhimbrelMacros",
      dependencies: [
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
      ],
      swiftSettings: settings),
    .target(
      name: "Whimbrel", dependencies: ["WhimbrelEngine", "WhimbrelLMDB", "WhimbrelMacros"],
      swiftSettings: settings),
    .target(
      name: "WhimbrelInspection", dependencies: ["WhimbrelEngine", "WhimbrelLMDB"],
      swiftSettings: settings),
    .target(
      name: "WhimbrelSampling",
      dependencies: ["WhimbrelEngine", "WhimbrelInspection", "WhimbrelLMDB"],
      swiftSettings: settings),
    .target(
      name: "WhimbrelImport", dependencies: ["WhimbrelEngine", "WhimbrelInspection"],
      swiftSettings: settings),
    .target(
      name: "WhimbrelTesting",
      dependencies: [
        "Whimbrel", "WhimbrelEngine", "WhimbrelInspection", "WhimbrelLMDB", "WhimbrelSampling",
      ],
      swiftSettings: settings),
    .target(name: "CWhimbrelStudioWeb", exclude: ["Web"]),
    .target(
      name: "WhimbrelStudio",
      dependencies: [
        "CWhimbrelStudioWeb", "WhimbrelEngine", "WhimbrelInspection", "WhimbrelLMDB",
        "WhimbrelSampling",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: settings),

    .executableTarget(
      name: "WhimbrelTool",
      dependencies: [
        "WhimbrelEngine", "WhimbrelImport", "WhimbrelInspection", "WhimbrelSampling",
        "WhimbrelStudio",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tools/whimbrel", swiftSettings: settings),
    .target(
      name: "Zones", dependencies: ["Whimbrel"], path: "Tools/Zones", swiftSettings: settings),
    .executableTarget(
      name: "ZonesApp", dependencies: ["Zones", "Whimbrel"], path: "Tools/ZonesApp",
      swiftSettings: settings),
    .executableTarget(
      name: "LiveList", dependencies: ["Zones", "Whimbrel"], path: "Tools/LiveList",
      swiftSettings: settings),
    .executableTarget(
      name: "MakeSampleStores", dependencies: ["Zones"],
      path: "Tools/MakeSampleStores", swiftSettings: settings),
    .target(
      name: "FuzzTargets",
      dependencies: ["WhimbrelEngine", "WhimbrelImport", "WhimbrelInspection", "WhimbrelLMDB"],
      path: "Tools/Fuzzing/Targets", swiftSettings: settings),

    .target(
      name: "WhimbrelTestSupport", path: "Tests/WhimbrelTestSupport", swiftSettings: settings),
    .target(name: "CWhimbrelDiskProbe", path: "Tests/CWhimbrelDiskProbe"),
    .testTarget(
      name: "WhimbrelLMDBTests",
      dependencies: ["CWhimbrelLMDB", "WhimbrelLMDB", "WhimbrelTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "WhimbrelEngineTests",
      dependencies: [
        "CWhimbrelDiskProbe", "WhimbrelEngine", "WhimbrelLMDB", "WhimbrelTestSupport",
        .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["Errors/errors.txt"], swiftSettings: settings),
    .testTarget(
      name: "WhimbrelMacrosTests",
      dependencies: [
        "WhimbrelMacros",
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ModelCompilationTests",
      dependencies: ["Whimbrel", "WhimbrelTestSupport"],
      exclude: ["Diagnostics/Snippets"], swiftSettings: settings),
    .testTarget(
      name: "WhimbrelTests",
      dependencies: [
        "CWhimbrelDiskProbe", "Whimbrel", "WhimbrelEngine", "WhimbrelLMDB", "WhimbrelTesting",
        "WhimbrelTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "WhimbrelOnlineTests",
      dependencies: ["Whimbrel", "WhimbrelEngine", "WhimbrelLMDB", "WhimbrelTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "WhimbrelTestingTests",
      dependencies: [
        "Whimbrel", "WhimbrelInspection", "WhimbrelSampling", "WhimbrelTesting", "Zones",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ZonesTests",
      dependencies: [
        "LiveList", "Whimbrel", "WhimbrelEngine", "WhimbrelTestSupport", "WhimbrelTesting",
        "WhimbrelTool", "Zones",
      ],
      exclude: ["Schemas"], swiftSettings: settings),
    .target(
      name: "WhimbrelInspectionTestSupport",
      dependencies: ["WhimbrelEngine", "WhimbrelInspection", "WhimbrelTestSupport"],
      path: "Tests/WhimbrelInspectionTestSupport", swiftSettings: settings),
    .testTarget(
      name: "WhimbrelInspectionTests",
      dependencies: [
        "CWhimbrelDiskProbe", "WhimbrelEngine", "WhimbrelInspection",
        "WhimbrelInspectionTestSupport", "WhimbrelLMDB", "WhimbrelTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "WhimbrelSamplingTests",
      dependencies: [
        "WhimbrelEngine", "WhimbrelInspection", "WhimbrelInspectionTestSupport", "WhimbrelSampling",
        "WhimbrelTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "WhimbrelImportTests",
      dependencies: [
        "WhimbrelEngine", "WhimbrelImport", "WhimbrelInspection", "WhimbrelInspectionTestSupport",
        "WhimbrelTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "WhimbrelToolTests",
      dependencies: [
        "WhimbrelEngine", "WhimbrelInspection", "WhimbrelInspectionTestSupport", "WhimbrelSampling",
        "WhimbrelTestSupport", "WhimbrelTool",
      ],
      exclude: ["Tool/Help", "Tool/Pages", "Tool/Schemas"], swiftSettings: settings),
    .testTarget(
      name: "WhimbrelStudioTests",
      dependencies: [
        "WhimbrelEngine", "WhimbrelInspection", "WhimbrelInspectionTestSupport", "WhimbrelStudio",
        "WhimbrelTestSupport", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: settings),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

// `WHIMBREL_TESTS=WhimbrelEngineTests swift test` builds and runs the tests of the targets named
// (several with commas), and what these need, nothing else. Without it those of the macros are left
// out: a test target that depends on a macro makes SwiftPM build everything a second time, for the
// host. `Tools/test` runs them apart.
//
// `WHIMBREL_FUZZ` names the runtime of libFuzzer, and leaves only the fuzzer: see `Tools/fuzz`.
if let runtime = Context.environment["WHIMBREL_FUZZ"] {
  package.addFuzzer(runtime)
  package.keepOnly(["Fuzz"])
} else if let names = Context.environment["WHIMBREL_TESTS"]?.split(separator: ",").map(String.init)
{
  package.keepOnly(names)
} else {
  package.targets.removeAll { $0.name == "WhimbrelMacrosTests" }
}

extension Package {
  /// Adds the fuzzer, and counts what is executed of the library while it runs.
  func addFuzzer(_ runtime: String) {
    let library = ["WhimbrelLMDB", "WhimbrelEngine", "WhimbrelInspection", "WhimbrelImport"]
    for target in targets where library.contains(target.name) {
      // Assertions stay: they stand beside reads that are not checked otherwise.
      target.swiftSettings?.append(.unsafeFlags(["-sanitize=fuzzer", "-assert-config", "Debug"]))
    }
    targets.append(
      .executableTarget(
        name: "Fuzz",
        dependencies: ["FuzzTargets", .product(name: "Logging", package: "swift-log")],
        path: "Tools/Fuzzing/Fuzz",
        swiftSettings: settings,
        linkerSettings: [
          .unsafeFlags([runtime]), .linkedLibrary("stdc++", .when(platforms: [.linux])),
        ]))
  }

  /// Drops all targets that those named do not need, and the products and packages that are of no
  /// use without them.
  func keepOnly(_ names: [String]) {
    var kept: Set<String> = []
    var packages: Set<String> = []
    var waiting = names
    while let name = waiting.popLast() {
      guard kept.insert(name).inserted, let target = targets.first(where: { $0.name == name })
      else { continue }
      for dependency in target.dependencies {
        switch dependency {
        case .byNameItem(let name, _), .targetItem(let name, _): waiting.append(name)
        case .productItem(_, let package, _, _): packages.insert(package ?? "")
        @unknown default: break
        }
      }
    }
    targets.removeAll { !kept.contains($0.name) }
    products.removeAll { product in
      let targets =
        (product as? Product.Library)?.targets ?? (product as? Product.Executable)?.targets ?? []
      return !kept.isSuperset(of: targets)
    }
    dependencies.removeAll { dependency in
      guard case .sourceControl(_, let location, _) = dependency.kind else { return false }
      return !packages.contains { location.hasSuffix("/\($0)") }
    }
  }
}
