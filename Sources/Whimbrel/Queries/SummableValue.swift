public import Foundation
internal import WhimbrelEngine

/// A number type that ``QueryableObjects/sum(of:)`` can add.
public protocol SummableValue: ModelValue {
  /// The type of a sum: `Int` for integers, `Double` for floating-point numbers, `Decimal` for
  /// decimal numbers.
  associatedtype Sum: ModelValue = Int
  /// The type of an average: `Double` or `Decimal`.
  associatedtype Average: ModelValue = Double
}

extension Int: SummableValue {}
extension Int8: SummableValue {}
extension Int16: SummableValue {}
extension Int32: SummableValue {}
extension Int64: SummableValue {}
extension UInt8: SummableValue {}
extension UInt16: SummableValue {}
extension UInt32: SummableValue {}

extension Float: SummableValue {
  /// The type of a sum.
  public typealias Sum = Double
}

extension Double: SummableValue {
  /// The type of a sum.
  public typealias Sum = Double
}

extension Decimal: SummableValue {
  /// The type of a sum.
  public typealias Sum = Decimal
  /// The type of an average.
  public typealias Average = Decimal
}
