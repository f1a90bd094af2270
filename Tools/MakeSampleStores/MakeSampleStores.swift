import Foundation
import Zones

/// The command that writes the sample stores and their manifest, or checks
/// those of the repository.
@main
struct MakeSampleStores {
  static let usage = """
    Usage: MakeSampleStores [--output DIR] [--source DIR] [--check]

      --output DIR  the folder to write to, or to compare with (default: SampleStores)
      --source DIR  the folder of zone1970.tab and iso3166.tab (default: SampleStores/Source)
      --check       write to a temporary folder and compare, byte for byte
    """

  /// The folder of the store in transition, in the one of the others.
  private static let formats = "Formats"

  var output = ZonesSampleStore.folder
  var source = ZonesSampleStore.sourceFolder
  var isCheck = false

  static func main() {
    do {
      guard let command = try MakeSampleStores(CommandLine.arguments.dropFirst()) else {
        print(usage)
        return
      }
      try command.run()
    } catch let error as CocoaError {
      complain("Error: \(error.localizedDescription) (\(error.filePath ?? "no path"))")
      exit(1)
    } catch {
      complain("Error: \(error)")
      exit(1)
    }
  }

  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }

  /// Parses the arguments. Returns nil when they ask for help.
  init?(_ arguments: some Sequence<String>) throws {
    var rest = arguments.makeIterator()
    func folder(after option: String) throws -> URL {
      guard let path = rest.next() else {
        throw Failure("'\(option)' wants a folder.\n\(Self.usage)")
      }
      return URL(filePath: path, directoryHint: .isDirectory)
    }
    while let argument = rest.next() {
      switch argument {
      case "--output": output = try folder(after: argument)
      case "--source": source = try folder(after: argument)
      case "--check": isCheck = true
      case "--help", "-h": return nil
      default: throw Failure("Unknown argument '\(argument)'.\n\(Self.usage)")
      }
    }
  }

  /// Makes the stores in a temporary folder, then compares or copies them.
  func run() throws {
    let manager = FileManager.default
    let data = try SourceData(folder: source)
    let fresh = manager.temporaryDirectory.appending(
      path: "SampleStores-\(UUID().uuidString)", directoryHint: .isDirectory)
    try manager.createDirectory(at: fresh, withIntermediateDirectories: true)
    defer { try? manager.removeItem(at: fresh) }

    let manifest = try SampleStoreManifest(making: ZonesSampleStore.allCases, from: data, in: fresh)
    try Data(manifest.text.utf8).write(to: fresh.appending(path: SampleStoreManifest.fileName))
    let formats = fresh.appending(path: Self.formats)
    try manager.createDirectory(at: formats, withIntermediateDirectories: true)
    try ZonesSampleStore.makeInTransition(from: data, in: formats)
    let names =
      ZonesSampleStore.allCases.map(\.fileName)
      + ["\(Self.formats)/\(ZonesSampleStore.transitionFileName)", SampleStoreManifest.fileName]
    if isCheck {
      try check(names, in: fresh)
    } else {
      try write(names, from: fresh)
    }
  }

  /// Compares each file with the one in the output folder.
  private func check(_ names: [String], in fresh: URL) throws {
    let different = names.filter { name in
      let expected = try? Data(contentsOf: fresh.appending(path: name))
      let found = try? Data(contentsOf: output.appending(path: name))
      return expected != found
    }
    guard different.isEmpty else {
      throw Failure(
        "These files differ from fresh ones: \(different.joined(separator: ", ")). "
          + "Run 'swift run MakeSampleStores' if that is meant.")
    }
    print("\(names.count) files are as they should be.")
  }

  /// Replaces the files of the output folder.
  private func write(_ names: [String], from fresh: URL) throws {
    try FileManager.default.createDirectory(
      at: output.appending(path: Self.formats), withIntermediateDirectories: true)
    for name in names {
      let contents = try Data(contentsOf: fresh.appending(path: name))
      try contents.write(to: output.appending(path: name), options: .atomic)
      print("\(output.appending(path: name).path): \(contents.count) bytes")
    }
  }
}

struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
