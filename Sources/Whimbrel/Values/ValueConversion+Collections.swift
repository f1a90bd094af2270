internal import Foundation
internal import WhimbrelEngine

extension ValueConversion {
  /// The elements of a sequence, or nil when a value is none.
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

  /// The elements of a dictionary, or nil when a value is none.
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

/// A map of whatever type.
protocol MapEntries {
  var entries: [String: Any] { get }
}
