public import WhimbrelEngine

/// One feature that objects of a class can show, such as a property that is nil.
///
/// In a store whose objects are being migrated one by one, those that are not yet converted show
/// facets of the properties that they had: `Reading.raw (version 1): zero`.
///
/// Its text is stable: `whimbrel prune --allow-loss` takes it, and JSON contains it.
///
/// ```swift
/// let facet = Facet(className: "Zone", property: "comments", kind: .null)
/// print(facet)  // Zone.comments: nil
/// ```
public struct Facet: Hashable, Sendable {
  /// The class whose objects show the facet.
  public let className: String
  /// The property that shows the facet, or nil if the class shows it.
  public let property: String?
  /// The schema version of the objects that show the facet, if they are not yet converted,
  /// otherwise nil.
  public let version: SchemaVersion?
  /// The kind of the facet.
  public let kind: Kind

  /// Creates a facet of a class or property.
  public init(
    className: String, property: String? = nil, version: SchemaVersion? = nil, kind: Kind
  ) {
    self.className = className
    self.property = property
    self.version = version
    self.kind = kind
  }
}

extension Facet {
  /// A kind of facet. Later versions may add kinds.
  public enum Kind: Hashable, Sendable {
    /// The class has no objects.
    case noObjects
    /// The class has one object.
    case oneObject
    /// The class has two objects or more.
    case manyObjects
    /// A record has the layout of this number, which may come from an older schema.
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
    /// The value, or an element, is not a case of the enum.
    case unknownCase
    /// The value or an element of a property of type `any` is of this kind: `int`, `string`,
    /// `object` …
    case valueKind(String)

    /// The text, data or collection is empty.
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
    /// Text has characters beyond U+FFFF, like most emoji.
    case supplementary
    /// Text has combining marks.
    case combining
    /// The number is zero.
    case zero
    /// The number is negative.
    case negative
    /// The number is NaN.
    case notANumber
    /// The number is infinite.
    case infinite

    /// The text or data is the shortest of the store, apart from empty ones.
    case shortest
    /// The text, data or collection is the longest of the store. Collections of links do not count.
    case longest
    /// The number or date is the smallest of the store.
    case smallest
    /// The number or date is the largest of the store.
    case largest

    /// The link leads to an object.
    case linked
    /// Some object is not the target of this property in any object.
    case fanInNone
    /// Some object is the target of this property in exactly one object.
    case fanInOne
    /// Some object is the target of this property in two or more objects.
    case fanInMany
    /// An object links to itself.
    case toItself
    /// The link is part of a cycle of several objects.
    case cycle
  }

  /// Whether the facet compares the objects of one store with each other. Every store with values
  /// shows such a facet, so it only serves to compare a store with a store made from it.
  public var isRelative: Bool {
    switch kind {
    case .shortest, .longest, .smallest, .largest: true
    default: false
    }
  }
}

extension Facet.Kind: CustomStringConvertible {
  /// The words for the kind, as in the text of a facet.
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
  /// The class, the property and the kind: `Zone.comments: nil`. The text is not escaped.
  public var description: String {
    let past = version.map { " (version \($0))" } ?? ""
    return "\(property.map { "\(className).\($0)" } ?? className)\(past): \(kind)"
  }
}
