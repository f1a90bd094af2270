public import Foundation
internal import WhimbrelEngine

/// A number type that ``QueryableObjects/sum(of:)`` can add.
public protocol SummableValue: ModelValue {
  /// The type of a sum: `Int` for integers, `Double` for floating-point numbers, `Decimal` for
  /// decimal numbers.
  associatedtype Sum: ModelValue
  /// The type of an average: `Double` or `Decimal`.
  associatedtype Average: ModelValue
}

extension Int: SummableValue {
  /// The type of a sum.
  public typealias Sum = Int
  /// The type of an average.
  public typealias Average = Double
}

extension Int8: SummableValue {
  /// The type of a sum.
  public typealias Sum = Int
  /// The type of an average.
  public typealias Average = Double
}

extension Int16: SummableValue {
  /// The type of a sum.
  public typealias Sum = Int
  /// The type of an average.
  public typealias Average = Double
}

extension Int32: SummableValue {
  /// The type of a sum.
  public typealias Sum = Int
  /// The type of an average.
  public typealias Average = Double
}

extension Int64: SummableValue {
  /// The type of a sum.
  public typealias Sum = Int
  /// The type of an average.
  public typealias Average = Double
}

extension UInt8: SummableValue {
  /// The type of a sum.
  public typealias Sum = Int
  /// The type of an average.
  public typealias Average = Double
}

extension UInt16: SummableValue {
  /// The type of a sum.
  public typealias Sum = Int
  /// The type of an average.
  public typealias Average = Double
}

extension UInt32: SummableValue {
  /// The type of a sum.
  public typealias Sum = Int
  /// The type of an average.
  public typealias Average = Double
}

extension Float: SummableValue {
  /// The type of a sum.
  public typealias Sum = Double
  /// The type of an average.
  public typealias Average = Double
}

extension Double: SummableValue {
  /// The type of a sum.
  public typealias Sum = Double
  /// The type of an average.
  public typealias Average = Double
}

extension Decimal: SummableValue {
  /// The type of a sum.
  public typealias Sum = Decimal
  /// The type of an average.
  public typealias Average = Decimal
}
