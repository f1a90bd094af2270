public import WhimbrelEngine

/// A number type that the bounds of a stored range may have.
///
/// The text of a number must convert back to the same number.
@_documentation(visibility: internal)
public protocol PersistableBound: Comparable, LosslessStringConvertible, SendableMetatype {
  /// The bounds of the placeholder range.
  static var zero: Self { get }
}

extension Int: PersistableBound {}
extension Int8: PersistableBound {}
extension Int16: PersistableBound {}
extension Int32: PersistableBound {}
extension Int64: PersistableBound {}
extension UInt8: PersistableBound {}
extension UInt16: PersistableBound {}
extension UInt32: PersistableBound {}
extension UInt64: PersistableBound {}
extension UInt: PersistableBound {}
extension Float: PersistableBound {}
extension Double: PersistableBound {}

/// A `Range` of numbers is stored as text, such as `1..<5`, which converts back to the same range.
///
/// ```swift
/// var latitudes: Range<Double>
/// ```
extension Range: Persistable, PersistableAsOptional, ModelValue, ModelValueAsOptional,
  QueryMember, QueryScalar, CollectionElement, CustomPersistable
where Bound: PersistableBound {
  /// Makes a range from its text. Returns nil if the text is not a range.
  public init?(persistedValue: String) {
    guard let (lower, upper) = Bound.pair(in: persistedValue, around: "..<") else { return nil }
    self = lower..<upper
  }

  /// The bounds with `..<` between them.
  public var persistableValue: String { "\(lowerBound)..<\(upperBound)" }

  /// The empty range at zero.
  public static var placeholder: Range { Bound.zero..<Bound.zero }
}

/// A `ClosedRange` of numbers is stored as text, such as `1...5`, which converts back to the same
/// range.
///
/// ```swift
/// var hours: ClosedRange<Int>
/// ```
extension ClosedRange: Persistable, PersistableAsOptional, ModelValue, ModelValueAsOptional,
  QueryMember, QueryScalar, CollectionElement, CustomPersistable
where Bound: PersistableBound {
  /// Makes a range from its text. Returns nil if the text is not a range.
  public init?(persistedValue: String) {
    guard let (lower, upper) = Bound.pair(in: persistedValue, around: "...") else { return nil }
    self = lower...upper
  }

  /// The bounds with `...` between them.
  public var persistableValue: String { "\(lowerBound)...\(upperBound)" }

  /// The range that contains only zero.
  public static var placeholder: ClosedRange { Bound.zero...Bound.zero }
}

extension PersistableBound {
  /// Returns the bounds in a text, or nil if they are not numbers in ascending order.
  fileprivate static func pair(in text: String, around mark: String) -> (Self, Self)? {
    guard let middle = text.firstRange(of: mark),
      let lower = Self(String(text[..<middle.lowerBound])),
      let upper = Self(String(text[middle.upperBound...])), lower <= upper
    else { return nil }
    return (lower, upper)
  }
}
