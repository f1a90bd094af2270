internal import WhimbrelEngine

/// A Swift enum for a property with cases.
struct SwiftEnum {
  let name: String
  private let rawType: String
  private let cases: [(name: String, text: String)]

  /// Creates the enum of a property. Returns nil if Swift cannot have it: it has no cases, a raw
  /// value does not have the property's type, or a raw value occurs twice.
  ///
  /// - Parameters:
  ///   - name: The name of the type.
  ///   - property: The property.
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
      // A name with spaces would need backquotes; a number reads better. Keywords keep their
      // backquotes.
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

  /// The members that enums have already. No case can have these names.
  private static let reserved: Set<String> = [
    "AllCases", "Protocol", "RawValue", "Self", "Type", "allCases", "hash", "hashValue", "init",
    "propertyCases", "propertyType", "rawValue", "self",
  ]

  /// Returns the case with a raw value, or nil.
  func caseName(_ value: PropertyValue) -> String? {
    let text: String
    switch value {
    case .string(let string): text = string
    case .int(let number): text = "\(number)"
    default: return nil
    }
    return cases.first { $0.text == text }?.name
  }

  /// The declaration, with a line end.
  var declaration: String {
    let lines = cases.map { name, text in
      if rawType == "String" {
        // The raw value of a case in backquotes is the name without them.
        let isSaid = name.filter { $0 != "`" } == text
        return isSaid ? "  case \(name)\n" : "  case \(name) = \(text.swiftLiteral)\n"
      }
      return "  case \(name) = \(text)\n"
    }
    return "enum \(name): \(rawType), PersistableEnum {\n\(lines.joined())}\n"
  }
}
