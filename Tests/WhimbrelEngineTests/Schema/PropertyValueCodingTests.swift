import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// The JSON form of values: it is part of the file format.
struct PropertyValueCodingTests {
  @Test(arguments: [
    (PropertyValue.null, #"{"null":true}"#), (.bool(false), #"{"bool":false}"#),
    (5, #"{"int":5}"#), (.int(.min), #"{"int":-9223372036854775808}"#),
    (.int(.max), #"{"int":9223372036854775807}"#), (.double(4.5), #"{"double":4.5}"#),
    (.double(.nan), #"{"double":"nan"}"#), (.double(.infinity), #"{"double":"inf"}"#),
    (.double(-.infinity), #"{"double":"-inf"}"#), (.double(-0.0), #"{"double":"-0"}"#),
    (.double(.init(bitPattern: 0x7FF8_0000_0000_0001)), #"{"double":"nan:7ff8000000000001"}"#),
    (.float(0.1), #"{"float":0.1}"#), (.float(-.nan), #"{"float":"nan:ffc00000"}"#),
    ("a\"\0é", #"{"string":"a\"\u0000é"}"#), (.data(Data([0, 1, 2])), #"{"data":"AAEC"}"#),
    (.data(Data()), #"{"data":""}"#),
    (.date(Date(timeIntervalSinceReferenceDate: 0.5)), #"{"date":0.5}"#),
    (.date(.distantPast), #"{"date":-63114076800}"#),
    (.link(ObjectID(rawValue: .max)), #"{"link":18446744073709551615}"#),
    (
      .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
      #"{"uuid":"01020304-0506-0708-090A-0B0C0D0E0F10"}"#
    ),
  ])
  func `a value has this form`(value: PropertyValue, json: String) throws {
    #expect(try encoded(value) == json)
    #expect(try decoded(PropertyValue.self, json).isIdentical(to: value))
  }

  @Test func `random numbers come back to the bit`() throws {
    var random = SeededGenerator(seed: 7)
    var values: [PropertyValue] = [
      .double(.leastNonzeroMagnitude), .double(.greatestFiniteMagnitude),
      .float(.leastNonzeroMagnitude), .float(.greatestFiniteMagnitude),
    ]
    for _ in 0..<2_000 {
      let bits = random.next()
      values.append(.double(Double(bitPattern: bits)))
      values.append(.float(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
      values.append(.date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits))))
      values.append(.int(Int64(bitPattern: bits)))
      values.append(.link(ObjectID(rawValue: bits)))
    }
    let json = try JSONEncoder().encode(values)
    let returned = try JSONDecoder().decode([PropertyValue].self, from: json)
    #expect(returned.count == values.count)
    let lost = zip(values, returned).filter { !$0.isIdentical(to: $1) }.map(\.0)
    #expect(lost.isEmpty)
  }

  @Test(arguments: [
    "{}", "[]", "null", "5", #""int""#, #"{"other":1}"#, #"{"int":1,"double":1}"#, #"{"int":1.5}"#,
    #"{"int":9223372036854775808}"#, #"{"int":"1"}"#, #"{"int":null}"#, #"{"null":false}"#,
    #"{"null":null}"#, #"{"bool":1}"#, #"{"double":"1.5"}"#, #"{"double":"nan:"}"#,
    #"{"double":"nan:0"}"#, #"{"double":"nan:7ff0000000000000"}"#, #"{"double":"nan:xyz"}"#,
    #"{"double":1e999}"#, #"{"double":true}"#, #"{"float":1e300}"#,
    #"{"float":"nan:7ff8000000000001"}"#, #"{"data":"%%"}"#, #"{"data":[1]}"#, #"{"uuid":"1"}"#,
    #"{"link":-1}"#, #"{"link":18446744073709551616}"#, #"{"date":"today"}"#, "{", "",
  ])
  func `what is no value is an error`(json: String) {
    #expect(throws: (any Error).self) { try decoded(PropertyValue.self, json) }
  }

  @Test(arguments: [
    (PropertyDefault.none, "null"), (.generated, #""generated""#),
    (.value(5), #"{"value":{"int":5}}"#), (.value(.null), #"{"value":{"null":true}}"#),
  ])
  func `a default has this form`(value: PropertyDefault, json: String) throws {
    #expect(try encoded(value) == json)
    #expect(try decoded(PropertyDefault.self, json) == value)
  }

  @Test(arguments: ["{}", "5", #""other""#, #"{"value":5}"#, "[]"])
  func `what is no default is an error`(json: String) {
    #expect(throws: DecodingError.self) { try decoded(PropertyDefault.self, json) }
  }
}

/// The JSON of a value, with sorted keys.
func encoded(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return String(decoding: try encoder.encode(value), as: UTF8.self)
}

/// The value of a JSON text.
func decoded<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
  try JSONDecoder().decode(type, from: Data(json.utf8))
}
