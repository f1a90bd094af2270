import Foundation

/// The values of one reading of version 1, about 105 bytes, the same for all engines.
struct ReadingValues {
  let id: Int
  let sensor: String
  let number: Int
  let raw: Double
  let taken: Double
  let isValid: Bool
  let note: String

  init(id: Int) {
    var random = SplitMix64(seed: 0x5245_4144, skipping: id)
    let bits = random.next()
    self.id = id
    sensor = "sensor-\(100 + bits % 400)"
    number = Int(bits >> 9 & 0xFFFF)
    raw = Double(bits >> 25 & 0xFFFF) / 64
    taken = 1_500_000_000 + Double(bits >> 41 & 0xF_FFFF)
    isValid = bits >> 63 == 1
    note = "read at station \(bits & 0xFF) by team \(bits >> 8 & 0xFF)"
  }
}

/// How version 2 computes the calibrated value of a reading.
enum Derived {
  static let factor = 1.02
}
