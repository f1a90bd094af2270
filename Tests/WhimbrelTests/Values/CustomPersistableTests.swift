import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

struct TownAddress: PersistableCodable, Hashable {
  var street = ""
  var built = Date(timeIntervalSinceReferenceDate: 0)
  var area = 0.0
  var parts: [String: [Int]] = [:]
}

/// A value that cannot always be encoded.
struct TownTrouble: PersistableCodable {
  struct Refusal: Error {}
  var isRefusing = false

  func encode(to encoder: any Encoder) throws {
    if isRefusing { throw Refusal() }
    var container = encoder.singleValueContainer()
    try container.encode(isRefusing)
  }

  init(isRefusing: Bool = false) { self.isRefusing = isRefusing }
  init() {}
  init(from decoder: any Decoder) throws {
    isRefusing = try decoder.singleValueContainer().decode(Bool.self)
  }
}

@Model
final class Mapped {
  var offset: TownOffset = TownOffset(minutes: 0)
  var maybe: TownOffset?
  var offsets: StoredList<TownOffset>
  var maybes: StoredList<TownOffset?>
  var set: StoredSet<TownOffset>
  var map: StoredMap<String, TownOffset>
  @Indexed var url: URL = URL(filePath: "/")
  var site: URL?
  var duration: Duration = Duration.zero
  var length: CGFloat = 0
  var range: Range<Int> = 0..<0
  var closed: ClosedRange<Double> = 0...0
  var bytes: Range<UInt8>?
  var address: TownAddress = TownAddress()
  var addresses: StoredList<TownAddress>
  var other: TownAddress?
  var trouble: TownTrouble = TownTrouble()
}

/// The same class with the stored types.
enum MappedRaw {
  @Model("Mapped")
  final class Mapped {
    var offset: Int = 0
    var maybe: Int?
    var offsets: StoredList<Int>
    var maybes: StoredList<Int?>
    var set: StoredSet<Int>
    var map: StoredMap<String, Int>
    @Indexed var url: String = "file:///"
    var site: String?
    var duration: Decimal = 0
    var length: Double = 0
    var range: String = "0..<0"
    var closed: String = "0.0...0.0"
    var bytes: String?
    var address: Data = Data()
    var addresses: StoredList<Data>
    var other: Data?
    var trouble: Data = Data()
  }
}

@Suite struct CustomPersistableTests {
  private func stored(_ object: Mapped) throws -> (TestStore, Store) {
    let test = try TestStore([Mapped.self])
    let store = try test.open()
    try store.write { try store.add(object) }
    return (test, store)
  }

  @Test func `values of an app's own types are kept everywhere`() throws {
    let object = Mapped()
    object.offset = TownOffset(minutes: 30)
    object.offsets = [TownOffset(minutes: 1), TownOffset(minutes: 2)]
    object.maybes = [nil, TownOffset(minutes: 3)]
    object.set = [TownOffset(minutes: 5), TownOffset(minutes: 4), TownOffset(minutes: 5)]
    object.map = ["a": TownOffset(minutes: 6)]
    object.url = try #require(URL(string: "https://example.org/a%20b?c=d#e"))
    object.duration = .milliseconds(1_500)
    object.length = 2.5
    object.range = -5..<7
    object.closed = -0.1...1e300
    object.bytes = 1..<255
    object.address = TownAddress(street: "s", area: .infinity, parts: ["a": [1, 2]])
    object.addresses = [TownAddress(), TownAddress(street: "é/\"")]
    let (test, store) = try stored(object)
    func check() {
      #expect(object.offset.minutes == 30 && object.maybe == nil)
      #expect(object.offsets.map(\.minutes) == [1, 2])
      #expect(object.maybes.map { $0?.minutes } == [nil, 3])
      #expect(object.set.map(\.minutes) == [4, 5] && object.set.contains(TownOffset(minutes: 4)))
      #expect(object.map["a"]?.minutes == 6)
      #expect(object.url.absoluteString == "https://example.org/a%20b?c=d#e")
      #expect(object.duration == .milliseconds(1_500) && object.length == 2.5)
      #expect(object.range == -5..<7 && object.closed == -0.1...1e300 && object.bytes == 1..<255)
      #expect(object.address.area == .infinity && object.address.parts == ["a": [1, 2]])
      #expect(object.addresses.map(\.street) == ["", "é/\""])
    }
    check()
    try store.write {
      object.maybe = TownOffset(minutes: 8)
      object.site = URL(string: "about:blank")
      object.other = TownAddress(street: "o")
      object.offsets.append(TownOffset(minutes: 9))
    }
    #expect(object.maybe?.minutes == 8 && object.site?.scheme == "about")
    #expect(object.other?.street == "o" && object.offsets.last?.minutes == 9)
    try store.write {
      object.maybe = nil
      object.other = nil
      object.offsets.removeLast()
    }
    #expect(object.other == nil)
    check()
    // To the store it is the stored type.
    let raw = try test.open([MappedRaw.Mapped.self]).objects(MappedRaw.Mapped.self)
    #expect(raw.first?.range == "-5..<7" && raw.first?.duration == Decimal(string: "1.5"))
    #expect(raw.first?.closed == "-0.1...1e+300" && raw.first?.offset == 30)
    let json = raw.first.map { String(decoding: $0.address, as: UTF8.self) }
    #expect(json == #"{"area":"inf","built":0,"parts":{"a":[1,2]},"street":"s"}"#)
    try test.expectWhole()
  }

  @Test func `a stored value that stands for none reads as the placeholder and is reported`()
    throws
  {
    let test = try TestStore([MappedRaw.Mapped.self])
    do {
      let store = try test.open()
      try store.write {
        let raw = MappedRaw.Mapped(offset: 5_000, maybe: 5_000, url: "", range: "7..<5")
        raw.offsets = [1, 5_000]
        raw.duration = .nan
        try store.add(raw)
      }
    }
    let store = try test.open([Mapped.self])
    let object = try #require(store.objects(Mapped.self).first)
    let cases: [(String, () -> Bool)] = [
      ("offset", { object.offset.minutes == -1 }),
      ("maybe", { object.maybe == nil }),
      ("offsets", { object.offsets.map(\.minutes) == [1, -1] }),
      ("url", { object.url.absoluteString == "about:blank" }),
      ("range", { object.range == 0..<0 }),
      ("duration", { object.duration == .zero }),
      ("address", { object.address == TownAddress() }),
    ]
    for (name, isPlaceholder) in cases {
      #expect(isPlaceholder(), "\(name)")
      let error = try expectError(.outOfRange) { try store.refresh() }
      #expect(
        "\(error)"
          == "Could not read 'Mapped.\(name)' of object 1: the stored value cannot be converted "
          + "to the property's Swift type. Make the type accept every value that it ever "
          + "stored, or correct the values in a migration.")
    }
    try store.refresh()
  }

  @Test(arguments: [
    Duration.zero, .seconds(1), .seconds(-1), .nanoseconds(1), .seconds(Int64.max),
    .seconds(Int64.min), Duration(attoseconds: 1), Duration(attoseconds: -1),
    Duration(attoseconds: .max), Duration(attoseconds: .min),
    Duration(attoseconds: .max - 7), Duration(attoseconds: 1_000_000_000_000_000_000),
    Duration(attoseconds: 10), .seconds(86_400 * 365),
  ])
  func `durations are exact`(duration: Duration) throws {
    #expect(Duration(persistedValue: duration.persistableValue) == duration)
    let (_, store) = try stored(Mapped(duration: duration))
    #expect(store.objects(Mapped.self).first?.duration == duration)
  }

  @Test(arguments: ["1e-19", "170141183460469231731.687303715884105728", "1e30", "-1e21"])
  func `a decimal that is no duration is none`(text: String) throws {
    let decimal = try #require(Decimal(string: text))
    #expect(Duration(persistedValue: decimal) == nil)
  }

  @Test func `ranges come back as they were, and other texts are none`() {
    func check<Bound: PersistableBound>(_ lower: Bound, _ upper: Bound) {
      let range = lower..<upper
      let closed = lower...upper
      #expect(Range<Bound>(persistedValue: range.persistableValue) == range)
      #expect(ClosedRange<Bound>(persistedValue: closed.persistableValue) == closed)
    }
    check(Int.min, Int.max)
    check(-3, -1)
    check(UInt8.min, UInt8.max)
    check(UInt64.min, UInt64.max)
    check(Double.leastNonzeroMagnitude, Double.greatestFiniteMagnitude)
    check(-Double.infinity, Double.infinity)
    check(Float(0.1), Float(0.2))
    check(-1e-20, 1e20)
    for text in ["", "1", "1..5", "1...5", "1..<", "..<5", "5..<1", "1..<x", "1 ..< 5"] {
      #expect(Range<Int>(persistedValue: text) == nil, "\(text)")
    }
    #expect(ClosedRange<Int>(persistedValue: "1..<5") == nil)
    #expect(Range<UInt8>(persistedValue: "1..<256") == nil)
  }

  @Test(arguments: [0.1, -0.0, .nan, 1e-308, 12_345_678.901234567])
  func `numbers and dates inside of JSON are exact`(number: Double) throws {
    let address = TownAddress(
      built: Date(timeIntervalSinceReferenceDate: number.isNaN ? 0.1 : number), area: number)
    let read = try #require(TownAddress(persistedValue: address.persistableValue))
    #expect(read.area.bitPattern == address.area.bitPattern || number.isNaN && read.area.isNaN)
    #expect(read.built == address.built)
  }

  @Test func `a value that cannot be encoded is an error`() throws {
    let text =
      "Could not set 'Mapped.trouble': its value cannot be encoded: Refusal(). "
      + "Correct the 'encode(to:)' of its type."
    let (test, store) = try stored(Mapped())
    try store.write {
      let error = try expectError(.wrongType) {
        try store.add(Mapped(trouble: TownTrouble(isRefusing: true)))
      }
      #expect("\(error)" == text && error.underlying is TownTrouble.Refusal)
    }
    let error = try expectError(.wrongType) {
      try store.write {
        store.objects(Mapped.self).first?.length = 9
        store.objects(Mapped.self).first?.trouble = TownTrouble(isRefusing: true)
      }
    }
    #expect("\(error)" == text)
    #expect(store.objects(Mapped.self).map(\.length) == [0])
    try test.expectWhole()
  }
}
