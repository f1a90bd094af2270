internal import Foundation
internal import WhimbrelEngine

extension ValueConversion {
  /// Returns the elements of a sequence, or nil if the value is not a sequence.
  func elements(_ value: Any) -> [Any]? {
    switch value {
    case let values as [Any]: return values
    case let value as PropertyValue:
      guard case .list(let values) = value else { return nil }
      return values
    case let value as AnyValue: return value.listValue
    case let values as Set<AnyHashable>: return values.map(\.base)
    case is String, is Substring, is Data, is [AnyHashable: Any]: return nil
    default: return (value as? any Sequence).map { Self.array($0) }
    }
  }

  private static func array(_ values: some Sequence) -> [Any] { values.map { $0 } }

  /// Returns the entries of a dictionary, or nil if the value is not a
  /// dictionary.
  func entries(_ value: Any) -> [String: Any]? {
    switch value {
    case let values as [String: Any]: return values
    case let value as PropertyValue:
      guard case .map(let values) = value else { return nil }
      return values
    case let value as AnyValue: return value.mapValue
    default: return (value as? any MapEntries)?.entries
    }
  }
}

/// A map of any value type.
protocol MapEntries {
  var entries: [String: Any] { get }
}
