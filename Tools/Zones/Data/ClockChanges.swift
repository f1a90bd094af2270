public import Foundation

/// Clock changes of 2025 for some zones in several parts of the world, as sample data.
public enum ClockChanges {
  /// A clock change.
  public struct Row: Sendable {
    /// The time of the change.
    public let date: Date
    /// The offset from UTC after the change, in seconds; positive is ahead of UTC.
    public let offset: Int
    /// The abbreviation of local time after the change.
    public let abbreviation: String

    /// - Parameter time: seconds since 1970-01-01 00:00 UTC.
    fileprivate init(_ time: TimeInterval, _ offset: Int, _ abbreviation: String) {
      date = Date(timeIntervalSince1970: time)
      self.offset = offset
      self.abbreviation = abbreviation
    }
  }

  private static let centralEurope = [
    Row(1_743_296_400, 7_200, "CEST"), Row(1_761_440_400, 3_600, "CET"),
  ]

  /// The changes by zone identifier.
  public static let all: [String: [Row]] = [
    "Africa/Cairo": [Row(1_745_532_000, 10_800, "EEST"), Row(1_761_858_000, 7_200, "EET")],
    "America/New_York": [Row(1_741_503_600, -14_400, "EDT"), Row(1_762_063_200, -18_000, "EST")],
    "Australia/Sydney": [Row(1_743_868_800, 36_000, "AEST"), Row(1_759_593_600, 39_600, "AEDT")],
    "Europe/Andorra": centralEurope,
    "Europe/Paris": centralEurope,
  ]

  /// The zones that the app offers first.
  public static let popularZones: Set<String> = [
    "America/New_York", "Asia/Tokyo", "Europe/Paris",
  ]
}
