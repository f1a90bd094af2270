import Foundation

/// The values of one person, the same for all engines.
struct PersonValues {
  var id: Int
  var firstName: String
  var lastName: String
  var email: String
  var age: Int
  var score: Double
  var created: Date
  var isActive: Bool
  var avatar: Data
}

/// A random number generator whose sequence depends only on its seed.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  /// - Parameter count: the number of values to skip.
  init(seed: UInt64, skipping count: Int = 0) {
    state = seed &+ UInt64(count) &* 0x9E37_79B9_7F4A_7C15
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// A generator of persons in primary key order, the same in every run.
struct PersonGenerator {
  private var random: SplitMix64
  private var nextID: Int

  private static let firstNames = [
    "Ada", "Berta", "Chinua", "Dorothea", "Emil", "Fatima", "Grace", "Hiroshi", "Ines", "Jorge",
    "Katalin", "Lourdes", "Maximilian", "Ngozi", "Oluwaseun", "Priya",
  ]
  private static let lastNames = [
    "Andersson", "Bauer", "Castellanos", "Dubois", "Eriksen", "Fernández", "Großmann", "Haddad",
    "Ito", "Jovanović", "Kowalczyk", "Li", "Montgomery", "Nakamura", "Okafor", "Papadopoulos",
  ]

  init(startingWith id: Int = 0) {
    nextID = id
    // Each person uses five random numbers.
    random = SplitMix64(seed: 0x5749_4D42, skipping: id * 5)
  }

  mutating func next() -> PersonValues {
    let id = nextID
    nextID += 1
    let bits = random.next()
    let first = Self.firstNames[Int(bits & 15)]
    let last = Self.lastNames[Int(bits >> 4 & 15)]
    let picture = (random.next(), random.next(), random.next(), random.next())
    let avatar = unsafe withUnsafeBytes(of: picture) { unsafe Data($0) }
    return PersonValues(
      id: id, firstName: first, lastName: last, email: Self.email(first, last, id),
      age: Int((bits >> 8 & 0xFF) % 100), score: Double(bits >> 16 & 0xFFFF) / 64,
      created: Date(timeIntervalSince1970: Double(1_500_000_000 + (bits >> 32 & 0xFFF_FFFF))),
      isActive: bits >> 63 == 1, avatar: avatar)
  }

  /// Returns an address, written in one piece: the generator's time is
  /// subtracted from that of a workload, and must be short beside it.
  private static func email(_ first: String, _ last: String, _ id: Int) -> String {
    unsafe String(unsafeUninitializedCapacity: 80) { buffer in
      var count = 0
      func append(_ byte: UInt8) {
        unsafe buffer[count] = byte
        count += 1
      }
      for byte in first.utf8 { append(byte) }
      append(UInt8(ascii: "."))
      for byte in last.utf8 { append(byte) }
      append(UInt8(ascii: "."))
      var power = 1
      while id / power >= 10 { power *= 10 }
      while power > 0 {
        append(UInt8(ascii: "0") + UInt8(id / power % 10))
        power /= 10
      }
      for byte in "@example.org".utf8 { append(byte) }
      return count
    }
  }

  static func email(of id: Int) -> String {
    var generator = PersonGenerator(startingWith: id)
    return generator.next().email
  }

  /// Measures generating persons without storing them.
  static func cost(of count: Int) -> Outcome {
    .measure {
      var generator = PersonGenerator()
      var sum = 0
      for _ in 0..<count { sum &+= generator.next().email.utf8.count }
      // The answer uses the sum, so that the optimiser does not remove the loop.
      return Double(sum)
    }
  }
}
