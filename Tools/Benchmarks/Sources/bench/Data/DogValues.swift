/// The values of one dog, the same for all engines.
struct DogValues {
  var id: Int
  var name: String
  /// The primary key of the owner.
  var owner: Int
}

/// A generator of dogs in primary key order, the same in every run.
struct DogGenerator {
  private var random = SplitMix64(seed: 0x444F_4753)
  private var nextID = 0
  private let owners: Int

  private static let names = ["Argos", "Bella", "Laika", "Rex", "Snowy", "Toto", "Wotan", "Zita"]

  init(owners: Int) { self.owners = owners }

  static func dogs(of owners: Int) -> Int { max(1, owners / 4) }

  mutating func next() -> DogValues {
    let id = nextID
    nextID += 1
    let bits = random.next()
    return DogValues(
      id: id, name: Self.names[Int(bits >> 61)], owner: Int(bits % UInt64(owners)))
  }
}
