import Foundation

/// How the values of one type become values of another without loss.
package enum Conversion: Hashable, Sendable {
  /// The types are the same.
  case identity
  /// Every value of the old type has a counterpart, so that stored records may
  /// stay as they are: each read widens the value.
  case widenedOnRead(to: PropertyType)
  /// The values are converted once, in a rewriting of the class; some of them may
  /// have no counterpart, which ``apply(_:)`` tells.
  case convertedByRewrite(to: PropertyType)
}

extension Conversion {
  /// The conversion that loses nothing, or nil when only the app's own code can
  /// say what becomes of the values.
  ///
  /// Whole numbers become wider ones, `float` and `double`; those, `bool` and
  /// `uuid` become text. Text is never read as something else, and dates become
  /// nothing else.
  package static func lossless(
    from old: PropertyType, to new: PropertyType
  ) -> Conversion? {
    if old == new { return .identity }
    switch new {
    case .string:
      let hasText = old.isInteger || [.bool, .float, .double, .uuid].contains(old)
      return hasText ? .convertedByRewrite(to: new) : nil
    case .double where old == .float:
      return .widenedOnRead(to: new)
    default:
      guard let values = old.integerBounds, let exact = new.exactIntegers else { return nil }
      let holdsAll = exact.contains(values.lowerBound) && exact.contains(values.upperBound)
      return holdsAll ? .widenedOnRead(to: new) : .convertedByRewrite(to: new)
    }
  }

  /// The counterpart of a value of the old type, or nil when it has none.
  ///
  /// Nil values stay nil. Numbers become the shortest text that gives the same
  /// number back.
  package func apply(_ value: PropertyValue) -> PropertyValue? {
    switch self {
    case .identity: value
    case .widenedOnRead(let type), .convertedByRewrite(let type):
      value.isNull ? .null : Self.convert(value, to: type)
    }
  }

  private static func convert(_ value: PropertyValue, to type: PropertyType) -> PropertyValue? {
    switch (value, type) {
    case (.int(let number), .float): Float(exactly: number).map(PropertyValue.float)
    case (.int(let number), .double): Double(exactly: number).map(PropertyValue.double)
    case (.float(let number), .double): .double(Double(number))
    case (.int(let number), .string): .string(String(number))
    case (.float(let number), .string): .string(number.description)
    case (.double(let number), .string): .string(number.description)
    case (.bool(let bool), .string): .string(bool ? "true" : "false")
    case (.uuid(let uuid), .string): .string(uuid.uuidString)
    case (.int(let number), _) where type.integerBounds?.contains(number) == true: value
    // Not `.null`, which `nil` means where a value is asked for.
    default: .none
    }
  }
}

extension PropertyType {
  /// The range in which this type holds every whole number, or nil when it holds
  /// no numbers.
  fileprivate var exactIntegers: ClosedRange<Int64>? {
    switch self {
    case .float: -(1 << Float.exactBits)...(1 << Float.exactBits)
    case .double: -(1 << Double.exactBits)...(1 << Double.exactBits)
    default: integerBounds
    }
  }
}

extension BinaryFloatingPoint {
  /// Up to this power of two, every whole number is exact.
  fileprivate static var exactBits: Int { significandBitCount + 1 }
}
