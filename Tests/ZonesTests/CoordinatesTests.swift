import Foundation
import Testing
import Zones

struct CoordinatesTests {
  /// A text and the degrees, minutes and seconds that it should give.
  struct Example: Sendable {
    let text: String
    let latitude: [Double]
    let longitude: [Double]
    var sign = (latitude: 1.0, longitude: 1.0)

    static let all = [
      Example(text: "+4230+00131", latitude: [42, 30], longitude: [1, 31]),
      Example(text: "-0036-09012", latitude: [0, 36], longitude: [90, 12], sign: (-1, -1)),
      Example(text: "+0000+00000", latitude: [0], longitude: [0]),
      Example(
        text: "-720041+0023206", latitude: [72, 0, 41], longitude: [2, 32, 6], sign: (-1, 1)),
      Example(
        text: "+744144-0944945", latitude: [74, 41, 44], longitude: [94, 49, 45], sign: (1, -1)),
      Example(text: "+9000-18000", latitude: [90], longitude: [180], sign: (1, -1)),
      Example(text: "-900000+1800000", latitude: [90], longitude: [180], sign: (-1, 1)),
      Example(text: "+5959+05959", latitude: [59, 59], longitude: [59, 59]),
      Example(text: "+595959+1795959", latitude: [59, 59, 59], longitude: [179, 59, 59]),
    ]

    /// Degrees of degrees, minutes and seconds, each divided on its own.
    static func degrees(_ parts: [Double]) -> Double {
      zip(parts, [1, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
    }
  }

  @Test(arguments: Example.all)
  func `both forms are read`(example: Example) throws {
    let place = try Coordinates(iso6709: example.text)
    let latitude = example.sign.latitude * Example.degrees(example.latitude)
    let longitude = example.sign.longitude * Example.degrees(example.longitude)
    #expect(abs(place.latitude - latitude) < 1e-12)
    #expect(abs(place.longitude - longitude) < 1e-12)
  }

  @Test func `every row of the table is read, and gives its text back`() throws {
    let data = try SourceData(folder: ZonesSampleStore.sourceFolder)
    var forms: [Int: Int] = [:]
    for row in data.zones {
      let place = try Coordinates(iso6709: row.coordinates)
      let hasSeconds = row.coordinates.count == 15
      #expect(place.iso6709(withSeconds: hasSeconds) == row.coordinates, "\(row.identifier)")
      forms[row.coordinates.count, default: 0] += 1
    }
    #expect(forms == [11: 265, 15: 47])
  }

  @Test(arguments: [
    "", "+", "+4230", "+4230+0013", "+4230+001310", "4230+00131", "+4230 00131", "+4230+001311",
    "+42.5+001.5", "+423000+00131", "+4230+0013100", "+4230+00131\n", " +4230+00131", "+4a30+00131",
    "++230+00131", "+4230++0131", "+４230+0131", "−4230+0131", "*4230+00131", "+4230*00131",
    "+423000+00131000", "+4230+0013/", "+423:+00131",
  ])
  func `another form is an error`(text: String) throws {
    let error = try #require(throws: CoordinatesError.self) { try Coordinates(iso6709: text) }
    #expect(error.text == text)
    #expect(error.reason == .form)
  }

  @Test(arguments: [
    "+4260+00131", "+4230+00160", "+423060+0013100", "+423000+0013160", "+9001+00000",
    "-9001+00000", "+900001+0000000", "+0000+18001", "+0000-18100", "+000000-1800001",
    "+9900+99900",
  ])
  func `a part out of range is an error`(text: String) throws {
    let error = try #require(throws: CoordinatesError.self) { try Coordinates(iso6709: text) }
    #expect(error.text == text)
    #expect(error.reason == .range)
  }

  @Test(arguments: [
    ("north", "the form is neither ±DDMM±DDDMM nor ±DDMMSS±DDDMMSS."),
    ("+9100+00000", "degrees, minutes or seconds are too large."),
  ])
  func `an error says what is wrong`(text: String, reason: String) throws {
    let error = try #require(throws: CoordinatesError.self) { try Coordinates(iso6709: text) }
    #expect(error.description == "Could not read the coordinates '\(text)': \(reason)")
  }
}

extension Coordinates {
  /// The way back: the text of the tz database for a place.
  fileprivate func iso6709(withSeconds: Bool) -> String {
    func part(_ degrees: Double, digits: Int) -> String {
      let total = Int((abs(degrees) * 3600).rounded())
      let parts = [(total / 3600, digits), (total / 60 % 60, 2), (total % 60, 2)]
      let sign = degrees.sign == .minus ? "-" : "+"
      return parts.prefix(withSeconds ? 3 : 2).reduce(sign) { text, part in
        let number = String(part.0)
        return text + String(repeating: "0", count: part.1 - number.count) + number
      }
    }
    return part(latitude, digits: 2) + part(longitude, digits: 3)
  }
}
