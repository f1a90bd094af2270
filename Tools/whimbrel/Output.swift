import Foundation
import WhimbrelInspection

/// The standard output and standard error of the tool.
enum Output {
  /// Whether standard output was closed when the tool started. Another file may have its descriptor
  /// now. The first use must come before the tool opens a file.
  static let isClosed = fcntl(STDOUT_FILENO, F_GETFD) < 0

  /// Returns JSON as text that ends with a line break.
  static func text(_ json: Data) -> String { safe(String(decoding: json, as: UTF8.self)) + "\n" }

  /// Writes text to standard output. The caller has escaped control characters in it.
  static func write(_ text: String) throws { try writeAll(Array(text.utf8)) }

  /// Writes lines of JSON, or other data of a store, to standard output. On a terminal, control
  /// characters are escaped; files and pipes get the exact bytes.
  ///
  /// - Parameter bytes: UTF-8 that ends with a whole character.
  /// - Throws: ``BrokenPipe`` when the reader has closed the pipe.
  static func write(_ bytes: [UInt8]) throws {
    try Terminal.isOutput ? write(safe(String(decoding: bytes, as: UTF8.self))) : writeAll(bytes)
  }

  /// Writes text.
  ///
  /// - Parameter goingOn: Whether the command goes on if the reader closes the pipe, as `head` does,
  ///   or if standard output is closed: it makes changes, or its exit code is an answer.
  static func write(_ text: String, goingOn: Bool) throws {
    if goingOn, isClosed { return }
    do { try write(text) } catch is BrokenPipe where goingOn {}
  }

  private static func safe(_ json: String) -> String {
    Terminal.isOutput ? PlainText.escapedJSON(json) : json
  }

  private static func writeAll(_ bytes: [UInt8]) throws {
    if isClosed { throw InspectionError.cannotWrite("standard output", number: EBADF) }
    if Terminal.isOutput { Progress.wipe() }
    var rest = bytes[...]
    while !rest.isEmpty {
      // Safe: the call reads no more than the buffer has.
      let count = unsafe rest.withUnsafeBytes { buffer in
        unsafe Foundation.write(STDOUT_FILENO, buffer.baseAddress, buffer.count)
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EPIPE {
        throw BrokenPipe()
      } else if errno != EINTR {
        throw InspectionError.cannotWrite("standard output", number: errno)
      }
    }
  }

  /// Writes what to know of objects that are not yet converted to standard error.
  static func note(_ objects: [UnconvertedObjects], _ use: UnconvertedObjects.Use) {
    for entry in objects { note(entry.note(use)) }
  }

  private static func note(_ text: String) { say("Note: \(text)\n") }

  /// Writes an error and its hint to standard error.
  static func complain(_ message: String, hint: String) {
    say("Error: \(message)\nHint: \(hint)\n")
  }

  /// Writes text to standard error. The work goes on even if nobody can read it: `write(_:)` of a
  /// file handle would end the process.
  static func say(_ text: String) {
    Progress.wipe()
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}

/// An error: the reader of the output closed the pipe, as `head` does. The tool then ends
/// successfully, unless its exit code is an answer.
struct BrokenPipe: Error {}
