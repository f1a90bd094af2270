import Foundation
public import Whimbrel

/// A part of the world: the first part of a zone's identifier.
public enum Area: String, PersistableEnum {
  /// As in `Africa/Abidjan`.
  case africa
  /// As in `America/Adak`.
  case america
  /// As in `Antarctica/Casey`.
  case antarctica
  /// As in `Asia/Almaty`.
  case asia
  /// As in `Atlantic/Azores`.
  case atlantic
  /// As in `Australia/Adelaide`.
  case australia
  /// As in `Europe/Andorra`.
  case europe
  /// As in `Indian/Chagos`.
  case indian
  /// As in `Pacific/Apia`.
  case pacific
}

extension Area {
  /// The number of the area, from 1. It is the primary key of the area's region.
  public var code: Int { (Area.allCases.firstIndex(of: self) ?? 0) + 1 }

  /// Makes the area of a zone's identifier.
  ///
  /// - Throws: ``UnknownAreaError`` when the identifier has no area, as in `UTC` and `Etc/GMT`.
  public init(zoneIdentifier: String) throws(UnknownAreaError) {
    let parts = zoneIdentifier.split(
      separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty,
      let area = Area.allCases.first(where: { $0.rawValue.capitalized == parts[0] })
    else {
      throw UnknownAreaError(zoneIdentifier: zoneIdentifier)
    }
    self = area
  }
}

/// An error: the identifier of a zone does not begin with an area.
public struct UnknownAreaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The identifier of the zone.
  public let zoneIdentifier: String

  /// A sentence for people.
  public var description: String {
    "Could not tell the area of '\(zoneIdentifier)': it does not begin with the name of one."
  }
}
