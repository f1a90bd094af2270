internal import Foundation
internal import WhimbrelInspection

/// What replaced values depend on: with the same key the same value always becomes the same.
///
/// Who has the key can find out what a replaced value was, by replacing guesses; who has not has
/// to find the key first. So make it long and random, as ``random()`` does, keep it as safe as the
/// data as long as stores shall go on to agree, and then throw it away. A key is hashed to 128
/// bits by SipHash, which is fast: a short word as a key is soon guessed.
///
/// ```swift
/// let key = try AnonymizationKey(text: "correct horse battery staple")
/// ```
public struct AnonymizationKey: Sendable {
  private let secret: SipHash.Key
  /// The text of the key.
  public let text: String

  /// Makes a key of text; white space around it does not count, so that a key in a file may end
  /// with a line break.
  ///
  /// - Throws: ``InspectionError`` with `badArgument` when there is nothing else in it.
  public init(text: String) throws {
    self.text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !self.text.isEmpty else {
      throw InspectionError.badArgument(
        text, "a key should not be empty", "Give a long random text, or '--random-key'.")
    }
    secret = Self.secret(of: self.text)
  }

  private static func secret(of text: String) -> SipHash.Key {
    SipHash.wideHash(text.utf8, SipHash.Key(0x7768_696d_6272_656c, 1))
  }

  /// Makes a key of the text in a file.
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

  /// Makes a key of 128 random bits, whose text is 32 hexadecimal digits.
  public static func random() -> AnonymizationKey {
    var generator = SystemRandomNumberGenerator()
    return AnonymizationKey(generator.next(), generator.next())
  }

  /// A key for one purpose, which tells nothing of those for others.
  func key(for purpose: Purpose) -> SipHash.Key {
    SipHash.wideHash(purpose.rawValue.utf8, secret)
  }

  /// What values are replaced for.
  enum Purpose: String {
    case text, data, jitter, order
  }
}
