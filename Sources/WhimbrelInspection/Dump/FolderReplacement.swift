internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelLMDB

/// A replacement of the files of an old dump by those of a new one. Other files in the folder stay.
///
/// Invariant: `store.json` says that the dump is unfinished, unless all other files belong to it.
struct FolderReplacement {
  let folder: String
  /// The header of the old dump.
  let old: FolderHeader

  /// Moves the new files into the folder and removes the files of classes that no longer exist.
  ///
  /// - Parameters:
  ///   - names: The files of the new dump, with `store.json` last.
  ///   - source: The folder that holds the new files, on the same file system.
  func run(with names: [String], from source: String) throws {
    let json = try Coding.encoder(isPretty: true).encode(old.unfinished)
    try DumpFile.write(to: "\(folder)/\(FolderLayout.storeName)", replacing: .replaced) { write in
      try write(Array(json) + [0x0A])
    }
    for name in names {
      // A power loss may undo names that are not on the disk, in any order.
      if name == names.last { try TemporaryFile.syncFolder(of: "\(folder)/\(name)") }
      guard unsafe rename("\(source)/\(name)", "\(folder)/\(name)") == 0 else {
        throw InspectionError.cannotWrite("\(folder)/\(name)", number: errno)
      }
      // Stale files go before `store.json` arrives, which makes the folder a dump again.
      if name == names.dropLast().last { removeStale(keeping: names) }
    }
    try TemporaryFile.syncFolder(of: "\(folder)/\(FolderLayout.storeName)")
  }

  private func removeStale(keeping names: [String]) {
    let kept = Dictionary(keepingFirst: names.map { ($0.lowercased(), $0) })
    let before = FolderLayout.fileNames(ofClasses: old.objectIDs.map(\.className))
    for name in Set(before).subtracting(names) {
      // If the file system ignores case, the old name of a class may lead to its new file.
      if let new = kept[name.lowercased()],
        FileIdentity(path: "\(folder)/\(new)") == FileIdentity(path: "\(folder)/\(name)")
      {
        continue
      }
      unsafe unlink("\(folder)/\(name)")
    }
  }
}
