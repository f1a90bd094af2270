internal import Foundation

/// A file that gets its name once it is whole: what a dump is written into.
///
/// ```swift
/// try DumpFile.write(to: "zones.jsonl", replacing: .refused) { write in
///   try StoreDump(inspector).write(write)
/// }
/// ```
///
/// Until then there is a file beside it, whose name ends with `.new-` and a UUID; when `body`
/// fails, nothing is left of it, and a file that was there is as it was.
public enum DumpFile {
  /// What becomes of what is there already.
  public enum Existing: Hashable, Sendable {
    /// It is an error.
    case refused
    /// It is replaced once the new one is whole. Stores never are.
    case replaced
  }

  /// Writes a file.
  ///
  /// - Throws: ``InspectionError`` with `fileExists` or `cannotWrite`, and what `body` throws.
  public static func write(
    to path: String, replacing existing: Existing,
    _ body: (_ write: ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    if FileManager.default.fileExists(atPath: path) {
      if isStore(path) { throw InspectionError.storeAsDump(path) }
      if existing == .refused { throw InspectionError.existingDump(path) }
    }
    let temporary = "\(path).new-\(UUID().uuidString)"
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    let descriptor = unsafe open(temporary, flags, 0o666)
    guard descriptor >= 0 else { throw InspectionError.cannotWrite(path, number: errno) }
    var isOpen = true
    defer {
      if isOpen { close(descriptor) }
      // There is none once it has been renamed.
      unsafe unlink(temporary)
    }
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
        // Safe: no more bytes than there are from that place on.
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

  /// Whether a file is an LMDB file, which no dump may replace: it may be the store itself.
  private static func isStore(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    // LMDB: the magic number stands behind the 16 bytes of a page's header.
    let start = (try? file.read(upToCount: 20)) ?? Data()
    return start.count == 20 && Array(start.suffix(4)) == [0xDE, 0xC0, 0xEF, 0xBE]
  }
}
