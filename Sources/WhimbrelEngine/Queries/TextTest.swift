internal import Foundation
internal import WhimbrelLMDB

/// A comparison of a text, or of bytes, with a constant.
///
/// It compares UTF-8 in place. It creates a Swift string only for texts beyond ASCII, if the
/// options ignore case or diacritics.
final class TextTest: Sendable {
  private let comparison: QueryComparison
  private let options: TextOptions
  /// The folded bytes of the constant.
  private let bytes: [UInt8]
  private let pattern: TextPattern?

  init(_ comparison: QueryComparison, _ text: String, _ options: TextOptions) {
    self.comparison = comparison
    self.options = options
    bytes = options.foldedBytes(text)
    pattern = comparison == .like ? TextPattern(text, options) : nil
  }

  /// Creates a comparison of bytes.
  init(_ comparison: QueryComparison, _ bytes: [UInt8]) {
    self.comparison = comparison
    options = []
    self.bytes = bytes
    pattern = nil
  }

  /// Returns whether a text, given as UTF-8, passes the test.
  func holds(_ text: PageBytes) -> Bool {
    if options.isEmpty { return PageBytes.with(bytes) { holds(text, $0, Plain()) } }
    if text.isASCII {
      return PageBytes.with(bytes) { bytes in
        options.contains(.caseInsensitive)
          ? holds(text, bytes, LowerCase()) : holds(text, bytes, Plain())
      }
    }
    return PageBytes.with(Array(options.folded(text.text).utf8)) { folded in
      PageBytes.with(bytes) { holds(folded, $0, Plain()) }
    }
  }

  func holds(_ text: String) -> Bool { PageBytes.with(text) { holds($0) } }

  func holds(_ data: Data) -> Bool { PageBytes.with(Array(data)) { holds($0) } }

  private func holds(
    _ text: PageBytes, _ other: PageBytes, _ form: some ByteForm
  ) -> Bool {
    switch comparison {
    case .equal: text.count == other.count && text.matches(other, at: 0, form)
    case .notEqual: text.count != other.count || !text.matches(other, at: 0, form)
    case .less: text.order(to: other, form) == .before
    case .lessOrEqual: text.order(to: other, form) != .behind
    case .greater: text.order(to: other, form) == .behind
    case .greaterOrEqual: text.order(to: other, form) != .before
    case .beginsWith: text.count >= other.count && text.matches(other, at: 0, form)
    case .endsWith:
      text.count >= other.count && text.matches(other, at: text.count - other.count, form)
    case .contains: text.contains(other, form)
    case .like: pattern?.matches(text, form) ?? false
    }
  }
}

/// A mapping of each byte before it is compared.
protocol ByteForm {
  func callAsFunction(_ byte: UInt8) -> UInt8
}

private struct Plain: ByteForm {
  @inline(__always)
  func callAsFunction(_ byte: UInt8) -> UInt8 { byte }
}

/// A mapping of ASCII letters to lower case.
private struct LowerCase: ByteForm {
  @inline(__always)
  func callAsFunction(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }
}

extension PageBytes {
  var isASCII: Bool {
    var offset = 0
    while offset + 8 <= count {
      if load(UInt64.self, at: offset) & 0x8080_8080_8080_8080 != 0 { return false }
      offset += 8
    }
    while offset < count {
      if load(UInt8.self, at: offset) >= 0x80 { return false }
      offset += 1
    }
    return true
  }

  /// Returns whether other bytes are found at an offset.
  ///
  /// - Precondition: There are enough bytes after the offset.
  fileprivate func matches(_ other: PageBytes, at offset: Int, _ form: some ByteForm) -> Bool {
    for place in 0..<other.count
    where form(load(UInt8.self, at: offset + place)) != other.load(UInt8.self, at: place) {
      return false
    }
    return true
  }

  fileprivate func contains(_ other: PageBytes, _ form: some ByteForm) -> Bool {
    guard other.count > 0 else { return true }
    guard count >= other.count else { return false }
    let first = other.load(UInt8.self, at: 0)
    for offset in 0...(count - other.count)
    where form(load(UInt8.self, at: offset)) == first && matches(other, at: offset, form) {
      return true
    }
    return false
  }

  fileprivate func order(to other: PageBytes, _ form: some ByteForm) -> ValueOrder {
    for place in 0..<min(count, other.count) {
      let (left, right) = (form(load(UInt8.self, at: place)), other.load(UInt8.self, at: place))
      if left != right { return left < right ? .before : .behind }
    }
    return ValueOrder(count, other.count)
  }
}
