/// A set of constants with which values are compared.
struct ValueSet {
  let values: [PropertyValue]
  let options: TextOptions
  private let numbers: Set<Int64>
  /// The constants that are neither integers nor texts.
  private let others: [PropertyValue]
  private let texts: Set<String>
  private let tests: [TextTest]

  init(_ values: [PropertyValue], _ options: TextOptions) {
    self.values = values
    self.options = options
    var (numbers, others, texts): (Set<Int64>, [PropertyValue], [String]) = ([], [], [])
    for value in values {
      switch value {
      case .int(let number): numbers.insert(number)
      case .string(let text): texts.append(text)
      default: others.append(value)
      }
    }
    self.numbers = numbers
    self.others = others
    self.texts = Set(texts)
    tests = texts.map { TextTest(.equal, $0, options) }
  }

  func contains(_ value: PropertyValue) -> Bool {
    switch value {
    case .int(let number):
      return numbers.contains(number) || others.contains { value.isEqual(to: $0) }
    case .string(let text):
      // Swift strings are equal if they are canonically equivalent, but conditions compare bytes.
      // So the set only excludes texts, and the tests decide.
      if options.isEmpty, !texts.contains(text) { return false }
      return tests.contains { $0.holds(text) }
    case .float, .double, .decimal:
      return values.contains { value.isEqual(to: $0) }
    default:
      return others.contains { value.isEqual(to: $0) }
    }
  }
}
