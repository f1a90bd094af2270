internal import Foundation
internal import WhimbrelEngine

/// A file that is written completely or not at all.
///
/// ```swift
/// try DumpFile.write(to: "zones.jsonl", replacing: .refused) { write in
///   try StoreDump(inspector).write(write)
/// }
/// ```
///
/// The text goes to a temporary file beside the path, whose name ends with `.new-` and a UUID, and
/// is renamed at the end. If `body` fails, the temporary file is removed, and an existing file at
/// the path stays as it was.
public enum DumpFile {
  /// The treatment of a file that already exists at the path.
  public enum Existing: Hashable, Sendable {
    /// The write fails with an error.
    case refused
    /// The file is replaced once the new one is complete. A store is never replaced.
    case replaced
  }

  /// Writes a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - existing: What happens to a file that already exists.
  ///   - body: Writes the content by calling `write` with the next bytes, as often as needed.
  /// - Throws: ``InspectionError`` with `fileExists` or `cannotWrite`, and what `body` throws.
  public static func write(
    to path: String, replacing existing: Existing,
    _ body: (_ write: ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    if FileManager.default.fileExists(atPath: path) {
      if isStore(path) { throw InspectionError.storeAsDump(path) }
      if existing == .refused { throw InspectionError.existingDump(path) }
    }
    let file = try TemporaryFile.new(beside: path)
    // The file has its new name by now. This call only releases the lock on the temporary name.
    defer { file.remove() }
    let temporary = file.path
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    let descriptor = unsafe open(temporary, flags, 0o666)
    guard descriptor >= 0 else { throw InspectionError.cannotWrite(path, number: errno) }
    var isOpen = true
    defer { if isOpen { close(descriptor) } }
    try body { bytes in try write(bytes, to: descriptor, path) }
    guard fsync(descriptor) == 0 else { throw InspectionError.cannotWrite(path, number: errno) }
    isOpen = false
    guard close(descriptor) == 0 else { throw InspectionError.cannotWrite(path, number: errno) }
    guard unsafe rename(temporary, path) == 0 else {
      throw InspectionError.cannotWrite(path, number: errno)
    }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        // Safe: the buffer has `count - written` bytes from offset `written`.
        unsafe Foundation.write(
          descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
      }
      if count >= 0 {
        written += count
      } else if errno != EINTR {
        throw InspectionError.cannotWrite(path, number: errno)
      }
    }
  }

  /// Returns whether a file is an LMDB file. A dump never replaces one: it may be the store itself.
  private static func isStore(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    // LMDB: the magic number follows the 16 bytes of the page header.
    let start = (try? file.read(upToCount: 20)) ?? Data()
    return start.count == 20 && Array(start.suffix(4)) == [0xDE, 0xC0, 0xEF, 0xBE]
  }
}
