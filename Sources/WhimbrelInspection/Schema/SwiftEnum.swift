internal import WhimbrelEngine

/// The enum of a property, as Swift declares it.
struct SwiftEnum {
  /// The name of the type.
  let name: String
  private let rawType: String
  private let cases: [(name: String, text: String)]

  /// Makes the enum of a property, or returns nil when Swift can have none: without cases, or
  /// with raw values that are not of the property's type, or there twice.
  ///
  /// - Parameter name: the name of the type.
  init?(_ name: String, of property: PropertySchema) {
    let type = property.type.elementType?.type ?? property.type
    guard let texts = property.cases, !texts.isEmpty, Set(texts).count == texts.count,
      type == .string || type.isInteger, let rawType = SwiftType.scalar(type)
    else { return nil }
    if let bounds = type.integerBounds {
      let areNumbers = texts.allSatisfy { text in
        Int64(text).map { bounds.contains($0) && "\($0)" == text } ?? false
      }
      guard areNumbers else { return nil }
    }
    var taken: Set<String> = Self.reserved
    self.name = name
    self.rawType = rawType
    cases = texts.enumerated().map { index, text in
      let wanted = type == .string ? text : "value\(text.replacing("-", with: "Minus"))"
      var caseName = taken.contains(wanted) ? nil : SwiftName.member(wanted)
      // A name that must stand in backquotes is no better than a number, unless it is a word.
      if wanted.unicodeScalars.contains(where: { $0 == " " }) { caseName = nil }
      var number = index + 1
      while caseName == nil || taken.contains(caseName ?? "") {
        caseName = "case\(number)"
        number += 1
      }
      taken.insert(caseName ?? "")
      return (caseName ?? "", text)
    }
  }

  /// What an enum has besides its cases, under names that no case can have.
  private static let reserved: Set<String> = [
    "AllCases", "Protocol", "RawValue", "Self", "Type", "allCases", "hash", "hashValue", "init",
    "propertyCases", "propertyType", "rawValue", "self",
  ]

  /// The case of a raw value, or nil.
  func caseName(_ value: PropertyValue) -> String? {
    let text: String
    switch value {
    case .string(let string): text = string
    case .int(let number): text = "\(number)"
    default: return nil
    }
    return cases.first { $0.text == text }?.name
  }

  /// The declaration, with a line break at its end.
  var declaration: String {
    let lines = cases.map { name, text in
      if rawType == "String" {
        // The raw value of a case in backquotes is the word without them.
        let isSaid = name.filter { $0 != "`" } == text
        return isSaid ? "  case \(name)\n" : "  case \(name) = \(SwiftName.literal(text))\n"
      }
      return "  case \(name) = \(text)\n"
    }
    return "enum \(name): \(rawType), PersistableEnum {\n\(lines.joined())}\n"
  }
}
