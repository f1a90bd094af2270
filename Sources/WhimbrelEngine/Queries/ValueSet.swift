internal import Foundation

/// A set of constants with which values are compared.
///
/// Hash sets keep the constants, so that a long list takes no longer than a short one. Only lists
/// and maps are compared one after another.
struct ValueSet {
  let values: [PropertyValue]
  let options: TextOptions
  private var whole: Set<Int64> = []
  private var floating: Set<Double> = []
  /// The folded UTF-8 of the texts. Swift strings are equal if they are canonically equivalent, but
  /// conditions compare bytes.
  private var texts: Set<[UInt8]> = []
  /// The digits of the decimals: equal decimals may have different hashes.
  private var decimals: Set<DecimalParts> = []
  private var others: Set<PropertyValue> = []

  init(_ values: [PropertyValue], _ options: TextOptions) {
    self.values = values
    self.options = options
    for value in values {
      switch value {
      case .int(let number): whole.insert(number)
      case .float, .double: floating.insert(value.floatingPoint ?? .nan)
      case .string(let text): texts.insert(options.foldedBytes(text))
      case .decimal(let number): if !number.isNaN { decimals.insert(number.parts) }
      case .list, .map: break
      default: others.insert(value)
      }
    }
  }

  func contains(_ value: PropertyValue) -> Bool {
    switch value {
    case .int(let number):
      whole.contains(number) || Double(exactly: number).map(floating.contains) ?? false
        || containsDecimal("\(number)")
    case .float, .double: contains(value.floatingPoint ?? .nan)
    case .decimal(let number): contains(number)
    case .string(let text): texts.contains(options.foldedBytes(text))
    case .list, .map: values.contains { value.isEqual(to: $0) }
    default: others.contains(value)
    }
  }

  private func contains(_ number: Double) -> Bool {
    floating.contains(number) || Int64(exactly: number).map(whole.contains) ?? false
      || containsDecimal("\(number)")
  }

  private func contains(_ number: Decimal) -> Bool {
    if number.isNaN { return false }
    let text = number.description
    if containsDecimal(text) || Int64(text).map(whole.contains) ?? false { return true }
    // A decimal equals the double whose shortest text has the same digits.
    guard !floating.isEmpty, let double = Double(text), floating.contains(double) else {
      return false
    }
    return PropertyValue.double(double).isEqual(to: .decimal(number))
  }

  /// Returns whether one of the decimals has the digits of a number.
  private func containsDecimal(_ text: @autoclosure () -> String) -> Bool {
    if decimals.isEmpty { return false }
    return DecimalParts(text: text()).map(decimals.contains) ?? false
  }
}
