import Foundation
import Testing
import WhimbrelEngine
import WhimbrelLMDB

/// The bytes of keys: they are part of the file format.
struct KeyEncodingTests {
  @Test(arguments: [
    (PropertyValue.bool(false), "00"), (.bool(true), "01"),
    (.int(0), "8000000000000000"), (.int(1), "8000000000000001"),
    (.int(-1), "7fffffffffffffff"), (.int(.min), "0000000000000000"),
    (.int(.max), "ffffffffffffffff"),
    (.double(0), "8000000000000000"), (.double(-0.0), "8000000000000000"),
    (.double(1), "bff0000000000000"), (.double(-1), "400fffffffffffff"),
    (.double(.infinity), "fff0000000000000"), (.double(.nan), "fff8000000000000"),
    (.double(-Double.nan), "fff8000000000000"), (.float(1), "bff0000000000000"),
    (.date(Date(timeIntervalSinceReferenceDate: 1)), "bff0000000000000"),
    (.string(""), "0000"), (.string("é"), "c3a90000"), (.string("a\0b"), "6100ff620000"),
    (
      .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
      "0102030405060708090a0b0c0d0e0f10"
    ),
    (.link(ObjectID(rawValue: 17)), "0000000000000011"),
  ])
  func `an encoding has these bytes`(value: PropertyValue, expected: String) {
    #expect(hex(encoding(of: value)) == expected)
    let prefix = value.kind == "link" ? "" : "01"
    #expect(hex(encoding(of: value, isOptional: true)) == prefix + expected)
  }

  @Test func `nil is one byte and precedes every value`() {
    #expect(encoding(of: .null, isOptional: true) == [0])
    let least = encoding(of: .int(.min), isOptional: true)
    #expect(encoding(of: .null, isOptional: true).lexicographicallyPrecedes(least))
  }

  @Test func `encodings are appended`() {
    var key: [UInt8] = [0xAA]
    KeyEncoding.append(.string("a"), isOptional: false, to: &key)
    KeyEncoding.append(ObjectID(rawValue: 2), to: &key)
    #expect(hex(key) == "aa610000" + "0000000000000002")
  }

  @Test func `fast paths give the same bytes`() {
    var number: [UInt8] = []
    KeyEncoding.append(Int64(-5), to: &number)
    #expect(number == encoding(of: .int(-5)))
    for text in ["", "Andorra", "a\0b", String(repeating: "x", count: 500)] {
      let bytes = Array(text.utf8)
      var sequence: [UInt8] = [7]
      KeyEncoding.append(utf8: AnySequence(bytes), to: &sequence)
      var page: [UInt8] = [7]
      PageBytes.with(bytes) { KeyEncoding.append(utf8: $0, to: &page) }
      #expect(sequence == [7] + encoding(of: .string(text)))
      #expect(page == sequence)
    }
  }

  @Test func `widening a property keeps its keys`() {
    #expect(encoding(of: .float(0.1)) == encoding(of: .double(Double(Float(0.1)))))
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}

/// The encoding of a value by itself.
func encoding(of value: PropertyValue, isOptional: Bool = false) -> [UInt8] {
  KeyEncoding.encoding(of: value, isOptional: isOptional)
}
