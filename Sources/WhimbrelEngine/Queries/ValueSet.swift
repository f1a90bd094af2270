/// A set of constants with which values are compared.
///
/// Hash sets keep the constants, so that a long list takes no longer than a short one. Only
/// decimals, lists and maps are compared one after another.
struct ValueSet {
  let values: [PropertyValue]
  let options: TextOptions
  private var whole: Set<Int64> = []
  private var floating: Set<Double> = []
  /// The folded UTF-8 of the texts. Swift strings are equal if they are canonically equivalent, but
  /// conditions compare bytes.
  private var texts: Set<[UInt8]> = []
  private var unhashed: [PropertyValue] = []
  private var others: Set<PropertyValue> = []

  init(_ values: [PropertyValue], _ options: TextOptions) {
    self.values = values
    self.options = options
    for value in values {
      switch value {
      case .int(let number): whole.insert(number)
      case .float, .double: floating.insert(value.floatingPoint ?? .nan)
      case .string(let text): texts.insert(options.foldedBytes(text))
      case .decimal, .list, .map: unhashed.append(value)
      default: others.insert(value)
      }
    }
  }

  func contains(_ value: PropertyValue) -> Bool {
    switch value {
    case .int(let number):
      whole.contains(number) || Double(exactly: number).map(floating.contains) ?? false
        || unhashed.contains { value.isEqual(to: $0) }
    case .float, .double:
      contains(value.floatingPoint ?? .nan) || unhashed.contains { value.isEqual(to: $0) }
    case .string(let text): texts.contains(options.foldedBytes(text))
    case .decimal, .list, .map: values.contains { value.isEqual(to: $0) }
    default: others.contains(value)
    }
  }

  private func contains(_ number: Double) -> Bool {
    floating.contains(number) || Int64(exactly: number).map(whole.contains) ?? false
  }
}
