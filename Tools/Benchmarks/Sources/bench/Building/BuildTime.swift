import Foundation

/// The processor time, in seconds, of debug builds of generated classes.
struct BuildTime {
  /// The time of building all classes.
  let all: Double
  /// The time of building again after one class has changed.
  let afterChange: Double

  /// Builds classes as SwiftPM does, with the modules and macros in a folder of build products.
  init(_ classes: GeneratedClasses, products: URL, moduleMap: URL) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "whimbrel-bench-build-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = classes.files
    var outputs = ["": ["swift-dependencies": "Module.swiftdeps"]]
    for (name, text) in files {
      try Data(text.utf8).write(to: folder.appending(path: name))
      outputs[name] = ["object": "\(name).o", "swift-dependencies": "\(name).swiftdeps"]
    }
    try JSONEncoder().encode(outputs).write(to: folder.appending(path: "outputs.json"))
    let arguments =
      [
        "swiftc", "-c", "-emit-module", "-incremental", "-output-file-map", "outputs.json",
        "-parse-as-library", "-module-name", "Generated", "-swift-version", "6", "-Onone", "-g",
        "-enable-batch-mode", "-enable-testing",
        "-I", products.appending(path: "Modules").path,
        "-Xcc", "-fmodule-map-file=\(moduleMap.path)",
        "-load-plugin-executable",
        "\(products.appending(path: "WhimbrelMacros-tool").path)#WhimbrelMacros",
      ] + files.keys.sorted()
    all = try Self.processorTime(of: arguments, in: folder)
    let changed = classes.changedFile
    // The compiler compares modification times, which have whole seconds on some systems.
    Thread.sleep(forTimeInterval: 1.1)
    try Data(changed.text.utf8).write(to: folder.appending(path: changed.name))
    afterChange = try Self.processorTime(of: arguments, in: folder)
  }

  /// Runs a program and returns its processor time and that of its child processes, in seconds.
  private static func processorTime(of arguments: [String], in folder: URL) throws -> Double {
    let before = childrenTime
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardOutput = FileHandle.standardError
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(errorDescription: "The generated classes do not compile.")
    }
    return childrenTime - before
  }

  /// The processor time of all child processes that have ended, in seconds.
  private static var childrenTime: Double {
    var usage = rusage()
    unsafe getrusage(childrenUsage, &usage)
    let times = [usage.ru_utime, usage.ru_stime]
    return times.map { Double($0.tv_sec) + Double($0.tv_usec) / 1e6 }.reduce(0, +)
  }

  #if canImport(Darwin)
    private static let childrenUsage = RUSAGE_CHILDREN
  #else
    private static let childrenUsage = RUSAGE_CHILDREN.rawValue
  #endif

  struct Failure: LocalizedError {
    let errorDescription: String?
  }
}
