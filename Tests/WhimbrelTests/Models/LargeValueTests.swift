import Foundation
import Testing
import Whimbrel
import WhimbrelTestSupport
import WhimbrelTesting

@Suite struct LargeValueTests {
  private static let limit = Int(Int32.max)

  @Test func `a megabyte of text and of data survives, grows and shrinks`() throws {
    let test = try TestStore()
    let text = String(repeating: "0123456789abcde\u{0}", count: 1 << 16)
    let data = Data((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    do {
      let store = try test.open()
      let object = Optionals(int: 7, string: text, data: data)
      try store.write { try store.add(object) }
      #expect(object.string == text)
    }
    do {
      let store = try test.open()
      let object = try #require(store.objects(Optionals.self).first)
      #expect(object.string == text)
      #expect(object.data == data)
      try store.write {
        object.string = text + text
        object.data = Data()
      }
      #expect(object.string == text + text)
      #expect(object.data == Data())
      try store.write { object.string = "short" }
    }
    let object = try #require(test.open().objects(Optionals.self).first)
    #expect(object.string == "short")
    #expect(object.data == Data())
    #expect(object.int == 7)
    try test.expectWhole()
  }

  @Test func `data of more than two billion bytes is an error`() throws {
    let test = try TestStore()
    let store = try test.open()
    let tooLarge = Optionals(int: 1, data: Data(count: Self.limit + 1))
    let error = try expectError(.valueTooLarge) { try store.write { try store.add(tooLarge) } }
    #expect(error.context.limit == Self.limit)
    #expect(error.context.count == Self.limit + 1)
    #expect(error.context.propertyName == "data")
    #expect(!tooLarge.isManaged)
    #expect(tooLarge.int == 1)
    #expect(store.objects(Optionals.self).isEmpty)
    try test.expectWhole()
  }

  @Test func `a setter given too large a value fails the write as a whole`() throws {
    let test = try TestStore()
    let store = try test.open()
    let object = Optionals(int: 1, data: Data([1]))
    try store.write { try store.add(object) }
    try expectError(.valueTooLarge) {
      try store.write {
        object.int = 2
        object.data = Data(count: Self.limit + 1)
        object.int = 3
      }
    }
    #expect(object.int == 1)
    #expect(object.data == Data([1]))
    try store.write { object.int = 4 }
    #expect(object.int == 4)
    try test.expectWhole()
  }

  /// It takes some 8 GB of memory and of disk.
  @Test(.enabled(if: TestRun.isLong))
  func `the longest data is kept`() throws {
    let test = try TestStore()
    let data = Data((0..<Self.limit).lazy.map { UInt8(truncatingIfNeeded: $0 >> 12) })
    do {
      let store = try test.open()
      try store.write { try store.add(Optionals(data: data)) }
    }
    let store = try test.open()
    let object = try #require(store.objects(Optionals.self).first)
    #expect(object.data == data)
    try test.expectWhole()
    try store.write { object.data = nil }
    try test.expectWhole()
  }
}
