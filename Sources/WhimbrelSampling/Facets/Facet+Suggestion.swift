extension Facet {
  /// The addition to a store that makes it show the facet: `Zone with comments = nil`. The text is
  /// not escaped.
  public var suggestion: String {
    let name = property ?? ""
    let object = version.map { "\(className) of version \($0)" } ?? className
    func with(_ condition: String) -> String { "\(object) with \(condition)" }
    return switch kind {
    case .noObjects: "a store without any \(className)"
    case .oneObject: "a store with one \(className)"
    case .manyObjects: "two or more \(className)"
    case .layout(let number): "\(className) whose record has layout \(number)"
    case .null: with("\(name) = nil")
    case .defaultValue: with("\(name) = its default")
    case .other: with("\(name) other than nil or its default")
    case .yes: with("\(name) = true")
    case .no: with("\(name) = false")
    case .enumCase(let value): with("\(name) = '\(value)'")
    case .unknownCase: with("\(name) that is not a case")
    case .valueKind(let kind): with("\(name) of kind \(kind)")
    case .empty: with("\(name) empty")
    case .one: with("one element in \(name)")
    case .many: with("two or more elements in \(name)")
    case .long: with("ten or more elements in \(name)")
    case .nilElement: with("nil in \(name)")
    case .nonASCIIName: with("a non-ASCII key in \(name)")
    case .nonASCII: with("non-ASCII characters in \(name)")
    case .supplementary: with("an emoji in \(name)")
    case .combining: with("a combining mark in \(name)")
    case .zero: with("\(name) = 0")
    case .negative: with("\(name) < 0")
    case .notANumber: with("\(name) = NaN")
    case .infinite: with("\(name) infinite")
    case .shortest, .longest, .smallest, .largest: with("\(name)")
    case .linked: with("\(name) that leads to an object")
    case .fanInNone: "an object that no \(className) links to by \(name)"
    case .fanInOne: "an object that one \(className) links to by \(name)"
    case .fanInMany: "two \(className) whose \(name) leads to the same object"
    case .toItself: with("\(name) that leads to itself")
    case .cycle: with("\(name) on a cycle of links")
    }
  }
}
