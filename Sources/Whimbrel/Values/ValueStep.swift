/// A step of a path into the values.
enum ValueStep {
  case key(String)
  case index(Int)
  /// A value of a map. Its key is data and does not appear in messages.
  case mapValue
}

extension ValueStep {
  var isKey: Bool {
    if case .key = self { true } else { false }
  }
}

extension [ValueStep] {
  /// The path in code syntax: `zones[3].country.code`.
  var text: String {
    reduce(into: "") { text, step in
      switch step {
      case .key(let name): text += text.isEmpty ? name : ".\(name)"
      case .index(let index): text += "[\(index)]"
      case .mapValue: text += "[…]"
      }
    }
  }
}
