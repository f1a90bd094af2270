internal import Foundation
package import WhimbrelEngine
internal import WhimbrelLMDB

extension TemporaryFile {
  /// Reserves a temporary path beside `path`, for a file that is renamed when it is complete.
  ///
  /// - Parameter name: The name of the file at `path` in errors, or nil for the path.
  /// - Throws: ``InspectionError`` with `cannotWrite`.
  static func new(
    beside path: String, describedAs name: String? = nil
  ) throws -> TemporaryFile {
    try make(.new, beside: path, describedAs: name)
  }

  /// Reserves a path among the system's temporary files, for a copy of an input.
  ///
  /// - Throws: ``InspectionError`` with `cannotWrite`.
  package static func spool() throws -> TemporaryFile {
    // The folder is shared with other users, whose files this one cannot remove.
    let name = "whimbrel-\(getuid())"
    return try make(
      .spool, beside: FileManager.default.temporaryDirectory.appending(path: name).path)
  }

  /// Gives the complete file its name, and waits until the name is on the disk.
  ///
  /// - Throws: ``InspectionError`` with `fileExists` or `cannotWrite`.
  func take(name: String, _ verb: String) throws {
    // `link` fails if someone has created a file of that name meanwhile; `rename` would replace it.
    // Safe: the call copies both paths.
    guard unsafe link(path, name) == 0 else {
      if errno == EEXIST { throw InspectionError.fileExists(name, verb) }
      throw InspectionError.cannotWrite(name, number: errno)
    }
    do {
      try Self.syncFolder(of: name)
    } catch {
      unsafe unlink(name)
      throw error
    }
  }

  /// Waits until the names in a file's folder are on the disk.
  ///
  /// - Parameter name: The name of the file in errors, or nil for the path.
  /// - Throws: ``InspectionError`` with `cannotWrite`.
  static func syncFolder(of path: String, describedAs name: String? = nil) throws {
    do {
      try FilePreflight.syncFolder(of: path)
    } catch {
      throw InspectionError.cannotWrite(name ?? path, number: error.code.rawValue)
    }
  }

  private static func make(
    _ purpose: TemporaryFiles.Purpose, beside path: String, describedAs name: String? = nil
  ) throws -> TemporaryFile {
    do {
      return try TemporaryFile(purpose, beside: path)
    } catch {
      throw InspectionError.cannotWrite(name ?? path, number: error.code.rawValue)
    }
  }
}
