/// One thing that the objects of a class can show, such as a property that is nil.
///
/// Its text is stable: `whimbrel prune --allow-loss` names facets by it, and JSON has it.
///
/// ```swift
/// let facet = Facet(className: "Zone", property: "comments", kind: .null)
/// print(facet)  // Zone.comments: nil
/// ```
public struct Facet: Hashable, Sendable {
  /// The class whose objects show it.
  public let className: String
  /// The property that shows it, or nil where the class does.
  public let property: String?
  /// What is shown.
  public let kind: Kind

  /// Makes a facet of its parts.
  public init(className: String, property: String? = nil, kind: Kind) {
    self.className = className
    self.property = property
    self.kind = kind
  }
}

extension Facet {
  /// What a facet shows. Later versions may add kinds.
  public enum Kind: Hashable, Sendable {
    /// The class has no objects.
    case noObjects
    /// The class has one object.
    case oneObject
    /// The class has two objects or more.
    case manyObjects
    /// Some record has the layout of this number, which may be one of an older schema.
    case layout(Int)

    /// The value is nil.
    case null
    /// The value is the declared default.
    case defaultValue
    /// The value is neither nil nor the default.
    case other
    /// The value is `true`.
    case yes
    /// The value is `false`.
    case no
    /// The value, or an element, is this case of the enum.
    case enumCase(String)
    /// The value, or an element, is no case of the enum.
    case unknownCase
    /// The value or an element, of any type, is of this kind: `int`, `string`, `object` …
    case valueKind(String)

    /// Text or data has no bytes, or a collection no elements.
    case empty
    /// A collection has one element.
    case one
    /// A collection has two elements or more.
    case many
    /// A collection has ten elements or more.
    case long
    /// An element is nil.
    case nilElement
    /// A name in a map has characters beyond ASCII.
    case nonASCIIName

    /// Text has characters beyond ASCII.
    case nonASCII
    /// Text has characters beyond U+FFFF, as most emoji are.
    case supplementary
    /// Text has combining marks.
    case combining
    /// The number is zero.
    case zero
    /// The number is negative.
    case negative
    /// The number is not a number.
    case notANumber
    /// The number is infinite.
    case infinite

    /// No other text or data of the store is shorter, apart from empty ones.
    case shortest
    /// No other text or data of the store is longer; of collections without links, none has more
    /// elements.
    case longest
    /// No other number or date of the store is smaller.
    case smallest
    /// No other number or date of the store is larger.
    case largest

    /// The link leads to an object.
    case linked
    /// An object is linked to by no object through this property.
    case fanInNone
    /// An object is linked to by one object through this property.
    case fanInOne
    /// An object is shared: two or more link to it through this property.
    case fanInMany
    /// An object links to itself.
    case toItself
    /// The link is one of a cycle of several objects.
    case cycle
  }

  /// Whether the facet compares the objects of one store with each other: every store that has
  /// values shows it, so only a store and what is made of it can be compared in it.
  public var isRelative: Bool {
    switch kind {
    case .shortest, .longest, .smallest, .largest: true
    default: false
    }
  }
}

extension Facet.Kind: CustomStringConvertible {
  /// The words for it.
  public var description: String {
    switch self {
    case .noObjects: "no objects"
    case .oneObject: "one object"
    case .manyObjects: "many objects"
    case .layout(let number): "layout \(number)"
    case .null: "nil"
    case .defaultValue: "default"
    case .other: "other"
    case .yes: "true"
    case .no: "false"
    case .enumCase(let name): "case \(name)"
    case .unknownCase: "no case"
    case .valueKind(let kind): "kind \(kind)"
    case .empty: "empty"
    case .one: "one"
    case .many: "many"
    case .long: "long"
    case .nilElement: "nil element"
    case .nonASCIIName: "non-ASCII key"
    case .nonASCII: "non-ASCII"
    case .supplementary: "beyond U+FFFF"
    case .combining: "combining marks"
    case .zero: "zero"
    case .negative: "negative"
    case .notANumber: "NaN"
    case .infinite: "infinite"
    case .shortest: "shortest"
    case .longest: "longest"
    case .smallest: "smallest"
    case .largest: "largest"
    case .linked: "linked"
    case .fanInNone: "fan-in none"
    case .fanInOne: "fan-in one"
    case .fanInMany: "fan-in many"
    case .toItself: "to itself"
    case .cycle: "cycle"
    }
  }
}

extension Facet: CustomStringConvertible {
  /// The class, the property and what is shown: `Zone.comments: nil`. It is not escaped.
  public var description: String {
    "\(property.map { "\(className).\($0)" } ?? className): \(kind)"
  }
}
