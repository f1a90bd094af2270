internal import Foundation

/// Puts the files of a new dump in the place of those of an old one, in a folder that may have
/// other files as well.
///
/// Invariant: `store.json` stands in the folder only while all others belong to it.
struct FolderReplacement {
  let folder: String
  /// The files of the old dump.
  let before: [String]

  /// - Parameters:
  ///   - names: the files of the new dump, `store.json` at the end.
  ///   - source: the folder that they are in, on the same file system.
  func run(with names: [String], from source: String) throws {
    let store = "\(folder)/\(FolderLayout.storeName)"
    guard unsafe unlink(store) == 0 else { throw InspectionError.cannotWrite(store, number: errno) }
    for name in names {
      guard unsafe rename("\(source)/\(name)", "\(folder)/\(name)") == 0 else {
        throw InspectionError.cannotWrite("\(folder)/\(name)", number: errno)
      }
      // The files of classes that are gone: before the folder is a dump again.
      if name == names.dropLast().last { removeStale(keeping: names) }
    }
  }

  private func removeStale(keeping names: [String]) {
    for name in Set(before).subtracting(names) { unsafe unlink("\(folder)/\(name)") }
  }
}
