internal import Foundation
internal import WhimbrelInspection

/// The key of an anonymisation: with the same key, the same value always gets the same replacement.
///
/// Anyone who holds the key can recover a value by replacing guesses and comparing. Without the key
/// they have to find the key first. So make the key long and random, as ``random()`` does. Keep it
/// as safe as the data while further stores have to agree with the first one, then delete it. The
/// key is hashed to 128 bits by SipHash, which is fast: a short word as a key is soon guessed.
///
/// ```swift
/// let key = try AnonymizationKey(text: "correct horse battery staple")
/// ```
public struct AnonymizationKey: Sendable {
  private let secret: SipHash.Key
  /// The text of the key.
  public let text: String

  /// Creates a key from text. White space around the text is ignored, so a key file may end with a
  /// line break.
  ///
  /// - Throws: ``InspectionError`` with `badArgument` if nothing is left.
  public init(text: String) throws {
    self.text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !self.text.isEmpty else {
      throw InspectionError.badArgument(
        text, "a key must not be empty", "Choose a long random text, or use '--random-key'.")
    }
    secret = Self.secret(of: self.text)
  }

  private static func secret(of text: String) -> SipHash.Key {
    SipHash.wideHash(text.utf8, SipHash.Key(0x7768_696d_6272_656c, 1))
  }

  /// Reads a key from a text file.
  ///
  /// - Throws: ``InspectionError`` with `cannotReadKey` or `badArgument`.
  public init(contentsOfFile path: String) throws {
    let contents: Data
    do {
      contents = try Data(contentsOf: URL(filePath: path))
    } catch {
      throw InspectionError.cannotReadKey(path)
    }
    guard let text = String(validating: contents, as: UTF8.self) else {
      throw InspectionError.cannotReadKey(path)
    }
    try self.init(text: text)
  }

  private init(_ first: UInt64, _ second: UInt64) {
    let digits = [first, second].map { word in
      let text = String(word, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    text = digits.joined()
    secret = Self.secret(of: text)
  }

  /// Creates a key of 128 random bits, whose text is 32 hexadecimal digits.
  public static func random() -> AnonymizationKey {
    var generator = SystemRandomNumberGenerator()
    return AnonymizationKey(generator.next(), generator.next())
  }

  /// Returns the key for one purpose. It reveals nothing about the keys for other purposes.
  func key(for purpose: Purpose) -> SipHash.Key {
    SipHash.wideHash(purpose.rawValue.utf8, secret)
  }

  enum Purpose: String {
    case text, data, jitter, order
  }
}
