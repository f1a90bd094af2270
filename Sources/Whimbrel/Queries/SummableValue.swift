public import Foundation
internal import WhimbrelEngine

/// A number that ``QueryableObjects/sum(of:)`` adds up.
public protocol SummableValue: ModelValue {
  /// What a sum is: `Int` of whole numbers, `Double` of those that are not, and `Decimal`.
  associatedtype Sum: ModelValue
  /// What an average is: `Double`, or `Decimal`.
  associatedtype Average: ModelValue
}

extension Int: SummableValue {
  /// What a sum is.
  public typealias Sum = Int
  /// What an average is.
  public typealias Average = Double
}

extension Int8: SummableValue {
  /// What a sum is.
  public typealias Sum = Int
  /// What an average is.
  public typealias Average = Double
}

extension Int16: SummableValue {
  /// What a sum is.
  public typealias Sum = Int
  /// What an average is.
  public typealias Average = Double
}

extension Int32: SummableValue {
  /// What a sum is.
  public typealias Sum = Int
  /// What an average is.
  public typealias Average = Double
}

extension Int64: SummableValue {
  /// What a sum is.
  public typealias Sum = Int
  /// What an average is.
  public typealias Average = Double
}

extension UInt8: SummableValue {
  /// What a sum is.
  public typealias Sum = Int
  /// What an average is.
  public typealias Average = Double
}

extension UInt16: SummableValue {
  /// What a sum is.
  public typealias Sum = Int
  /// What an average is.
  public typealias Average = Double
}

extension UInt32: SummableValue {
  /// What a sum is.
  public typealias Sum = Int
  /// What an average is.
  public typealias Average = Double
}

extension Float: SummableValue {
  /// What a sum is.
  public typealias Sum = Double
  /// What an average is.
  public typealias Average = Double
}

extension Double: SummableValue {
  /// What a sum is.
  public typealias Sum = Double
  /// What an average is.
  public typealias Average = Double
}

extension Decimal: SummableValue {
  /// What a sum is.
  public typealias Sum = Decimal
  /// What an average is.
  public typealias Average = Decimal
}
