import Foundation
import WhimbrelInspection

/// What the tool writes.
enum Output {
  private static let isTerminal = isatty(STDOUT_FILENO) == 1

  /// JSON as text that ends with a line break.
  static func text(_ json: Data) -> String { String(decoding: json, as: UTF8.self) + "\n" }

  /// Writes text to standard output.
  static func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// Writes bytes to standard output.
  ///
  /// - Throws: ``BrokenPipe`` when nobody reads them any more.
  static func write(_ bytes: [UInt8]) throws {
    if isTerminal { Progress.wipe() }
    var rest = bytes[...]
    while !rest.isEmpty {
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

  /// Writes an error and what to do about it to standard error.
  static func complain(_ message: String, hint: String) {
    Progress.wipe()
    FileHandle.standardError.write(Data("Error: \(message)\nHint: \(hint)\n".utf8))
  }
}

/// Nobody reads the output any more, as when it goes to `head`: no reason to
/// complain.
struct BrokenPipe: Error {}
