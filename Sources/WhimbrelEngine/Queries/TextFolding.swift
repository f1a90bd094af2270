internal import Foundation

extension TextOptions {
  /// Returns the text without the differences that the options ignore.
  func folded(_ text: String) -> String {
    guard !isEmpty else { return text }
    var scalars = String.UnicodeScalarView()
    let source = contains(.diacriticInsensitive) ? text.decomposedStringWithCanonicalMapping : text
    for scalar in source.unicodeScalars {
      if contains(.diacriticInsensitive), scalar.properties.generalCategory == .nonspacingMark {
        continue
      }
      if contains(.caseInsensitive) {
        scalar.appendCaseFolded(to: &scalars)
      } else {
        scalars.append(scalar)
      }
    }
    // What is left of a letter without marks is composed again: the parts of a syllable of Hangul are
    // no diacritics. Without this, 하 would be the beginning of 한, and `?` would match a part.
    return contains(.diacriticInsensitive) ? String(scalars).precomposed : String(scalars)
  }

  /// Returns the UTF-8 of the text without the differences that the options ignore.
  func foldedBytes(_ text: String) -> [UInt8] {
    guard !isEmpty, text.utf8.allSatisfy({ $0 < 0x80 }) else { return Array(folded(text).utf8) }
    guard contains(.caseInsensitive) else { return Array(text.utf8) }
    return text.utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
  }
}

extension Unicode.Scalar {
  /// Appends the case-folded form of the scalar: ss for ß and ẞ.
  fileprivate func appendCaseFolded(to scalars: inout String.UnicodeScalarView) {
    if value < 0x80 {
      let isUpper = (0x41...0x5A).contains(value)
      scalars.append(isUpper ? Unicode.Scalar(UInt8(value) | 0x20) : self)
      return
    }
    // The upper case of ı is I, whose lower case is i: a different letter.
    if value == 0x131 {
      scalars.append(self)
      return
    }
    // The scalar is converted to lower case first: ẞ is its own upper case, but its lower case ß
    // has the upper case SS.
    for lower in properties.lowercaseMapping.unicodeScalars {
      for upper in lower.properties.uppercaseMapping.unicodeScalars {
        scalars.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars)
      }
    }
  }
}
