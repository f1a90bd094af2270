import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelSampling

struct JitterTests {
  private let key = SipHash.Key(5, 6)

  private func moved(
    _ value: PropertyValue, _ type: PropertyType, by reach: String
  ) throws -> PropertyValue {
    try #require(Jitter(reach)).moved(value, type, key)
  }

  @Test(arguments: ["", "%", "d", "3x", "-5", "0", "inf", "nan%", "1e999", "3 d"])
  func `what says no distance is refused`(text: String) {
    #expect(Jitter(text) == nil)
  }

  @Test func `whole numbers stay in their bounds and keep their sign`() throws {
    for type in PropertyType.scalars where type.isInteger {
      let bounds = try #require(type.integerBounds)
      for number in [bounds.lowerBound, bounds.upperBound, 1, 100, 127] {
        for reach in ["10%", "100000%", "7", "1e300"] {
          guard case .int(let new) = try moved(.int(number), type, by: reach) else {
            Issue.record("no number")
            continue
          }
          #expect(bounds.contains(new))
          #expect(new.signum() == number.signum())
        }
      }
    }
    #expect(try moved(0, .int, by: "1000%") == 0)
  }

  @Test func `numbers move by no more than they may, and most of them move`() throws {
    var distances: Set<Int64> = []
    for number in 1_000...2_000 as ClosedRange<Int64> {
      guard case .int(let new) = try moved(.int(number), .int, by: "10%") else { continue }
      #expect((new - number).magnitude <= UInt64(number / 10 + 1))
      distances.insert(new - number)
      #expect(try moved(.int(number), .int, by: "10%") == .int(new))
    }
    #expect(distances.count > 200)
    guard case .double(let new) = try moved(.double(42.5), .double, by: "10%") else { return }
    #expect(new != 42.5 && (38.25...46.75).contains(new))
  }

  @Test(
    arguments: [.infinity, -.infinity, 0, -0.0, .greatestFiniteMagnitude, 0x1p-1074, -1] as [Double]
  )
  func `numbers at the edge stay numbers of their sign`(number: Double) throws {
    guard case .double(let new) = try moved(.double(number), .double, by: "50%") else { return }
    #expect(new.sign == number.sign && new.isFinite == number.isFinite)
    #expect((new == 0) == (number == 0))
    guard case .float(let small) = try moved(.float(Float(number)), .float, by: "50%") else {
      return
    }
    #expect(small.sign == number.sign && (small == 0) == (Float(number) == 0))
  }

  @Test func `not a number stays so`() throws {
    guard case .double(let new) = try moved(.double(.nan), .double, by: "50%") else { return }
    #expect(new.isNaN)
    #expect(try moved(.decimal(.nan), .decimal, by: "50%") == .decimal(.nan))
    #expect(try moved(.null, .int, by: "50%") == .null)
  }

  @Test(arguments: ["19.99", "-0.01", "1000", "99999999999999999999999999999999999999"])
  func `decimal numbers keep their decimals`(text: String) throws {
    let number = try #require(Decimal(string: text))
    guard case .decimal(let new) = try moved(.decimal(number), .decimal, by: "20%") else { return }
    #expect(new.sign == number.sign)
    #expect(new.exponent >= min(number.exponent, 0))
    #expect((new / number - 1).magnitude < 0.21)
  }

  @Test func `no distance is too long`() throws {
    for reach in ["1e300", "1e308%"] {
      let values: [(PropertyValue, PropertyType)] = [
        (.int(5), .int8), (.double(1e300), .double), (.float(2), .float), (.decimal(3), .decimal),
      ]
      for (value, type) in values { _ = try moved(value, type, by: reach) }
    }
    let date = PropertyValue.date(Date(timeIntervalSinceReferenceDate: 1e308))
    _ = try moved(date, .date, by: "1e303w")
  }

  @Test func `dates of whole days and seconds stay such`() throws {
    let day = Date(timeIntervalSinceReferenceDate: 86_400 * 9_000)
    for (offset, unit) in [(0, 86_400), (3_600, 1), (0.25, 0)] as [(Double, Double)] {
      let date = day + offset
      guard case .date(let new) = try moved(.date(date), .date, by: "30d") else { return }
      #expect(new != date)
      #expect(abs(new.timeIntervalSince(date)) <= 30 * 86_400)
      if unit > 0 {
        #expect(new.timeIntervalSinceReferenceDate.truncatingRemainder(dividingBy: unit) == 0)
      }
    }
  }

  @Test func `elements of collections move too`() throws {
    let type = PropertyType.list(of: ElementType(.int16, isOptional: true))
    let new = try moved([1_000, .null, 1_000], type, by: "30%")
    guard case .list(let elements) = new else { return }
    #expect(elements[1] == .null && elements[0] == elements[2])
    #expect(try #require(Jitter("3%")).fits(type))
    #expect(try !#require(Jitter("3%")).fits(.set(of: ElementType(.int))))
    #expect(try !#require(Jitter("3%")).fits(.date))
    #expect(try #require(Jitter("3d")).fits(.date))
  }
}
