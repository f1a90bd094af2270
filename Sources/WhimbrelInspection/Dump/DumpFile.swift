internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelLMDB

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
/// the path stays as it was. A symbolic link stays too: the file that it leads to is written.
///
/// A named pipe, a socket or a character device is not replaced: the text goes straight into it.
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
  ///   - existing: What happens to a regular file that already exists.
  ///   - body: Writes the content by calling `write` with the next bytes, as often as needed.
  /// - Throws: ``InspectionError`` with `fileExists` or `cannotWrite`, and what `body` throws.
  public static func write(
    to path: String, replacing existing: Existing,
    _ body: (_ write: ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    try write(to: path, describedAs: path, replacing: existing, body)
  }

  /// Writes a file.
  ///
  /// - Parameter name: The name of the file in errors.
  static func write(
    to path: String, describedAs name: String, replacing existing: Existing,
    _ body: (_ write: ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    switch mode(of: path) {
    case S_IFIFO, S_IFSOCK, S_IFCHR: return try writeStraight(into: path, body)
    // A dump would destroy the file system on a disk.
    case S_IFBLK: throw InspectionError.cannotWrite(name, number: ENOTSUP)
    default: break
    }
    let target = target(of: path)
    if FileManager.default.fileExists(atPath: target) {
      if let kind = kindOfStoreFile(target) { throw InspectionError.storeAsDump(name, kind) }
      if existing == .refused { throw InspectionError.existingDump(name) }
    }
    let file = try TemporaryFile.new(beside: target, describedAs: name)
    // The file has its new name by now. This call only releases the lock on the temporary name.
    defer { file.remove() }
    let temporary = file.path
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    let descriptor = unsafe open(temporary, flags, 0o666)
    guard descriptor >= 0 else { throw InspectionError.cannotWrite(name, number: errno) }
    var isOpen = true
    defer { if isOpen { close(descriptor) } }
    try body { bytes in try write(bytes, to: descriptor, name) }
    guard FileBytes.sync(descriptor) == 0 else {
      throw InspectionError.cannotWrite(name, number: errno)
    }
    isOpen = false
    guard close(descriptor) == 0 else { throw InspectionError.cannotWrite(name, number: errno) }
    guard unsafe rename(temporary, target) == 0 else {
      throw InspectionError.cannotWrite(name, number: errno)
    }
    try TemporaryFile.syncFolder(of: target, describedAs: name)
  }

  /// Writes into what is at a path, without a temporary file. Reading from it could wait for ever.
  private static func writeStraight(
    into path: String, _ body: (_ write: ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw InspectionError.cannotWrite(path, number: errno) }
    defer { close(descriptor) }
    try body { bytes in try write(bytes, to: descriptor, path) }
  }

  /// Returns the kind of file that a path leads to, or 0 if there is none.
  private static func mode(of path: String) -> mode_t {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  /// Returns the path that a symbolic link leads to, or the path itself if it is not one.
  private static func target(of path: String) -> String {
    var target = path
    // The system follows at most 40 links.
    for _ in 0..<40 {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: target) else {
        break
      }
      let folder = target.lastIndex(of: "/").map { target[...$0] } ?? ""
      target = next.hasPrefix("/") ? next : "\(folder)\(next)"
    }
    return target
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32, _ name: String) throws {
    let signals = SizeSignal.block()
    defer { signals.end() }
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
        throw InspectionError.cannotWrite(name, number: errno)
      }
    }
  }

  /// Returns what a file of LMDB is, or nil for any other file. A dump never replaces one: it may
  /// belong to the store itself.
  private static func kindOfStoreFile(_ path: String) -> String? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    let start = Array((try? file.read(upToCount: 20)) ?? Data())
    let magicNumber: [UInt8] = [0xDE, 0xC0, 0xEF, 0xBE]
    // LMDB: a lock file begins with the magic number. In a data file, the page header comes first.
    if start.starts(with: magicNumber) { return "the lock file of a store" }
    return start.dropFirst(16) == magicNumber[...] ? "a store" : nil
  }
}
