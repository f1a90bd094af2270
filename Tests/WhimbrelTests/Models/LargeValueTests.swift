import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

@Suite struct LargeValueTests {
  private static let limit = 16 << 20

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

  @Test func `data of 16 MiB is kept and one byte more is an error`() throws {
    let test = try TestStore()
    let store = try test.open()
    try store.write { try store.add(Optionals(data: Data(count: Self.limit))) }
    #expect(try test.open().objects(Optionals.self).first?.data?.count == Self.limit)

    let tooLarge = Optionals(int: 1, data: Data(count: Self.limit + 1))
    let error = try expectError(.valueTooLarge) { try store.write { try store.add(tooLarge) } }
    #expect(error.context.limit == Self.limit)
    #expect(error.context.count == Self.limit + 1)
    #expect(error.context.propertyName == "data")
    #expect(!tooLarge.isManaged)
    #expect(tooLarge.int == 1)
    #expect(store.objects(Optionals.self).count == 1)
    try test.expectWhole()
  }

  @Test func `a setter given too large a text fails the write as a whole`() throws {
    let test = try TestStore()
    let store = try test.open()
    let object = Optionals(int: 1, string: "old")
    try store.write { try store.add(object) }
    try expectError(.valueTooLarge) {
      try store.write {
        object.int = 2
        object.string = String(repeating: "x", count: Self.limit + 1)
        object.int = 3
      }
    }
    #expect(object.int == 1)
    #expect(object.string == "old")
    try store.write { object.int = 4 }
    #expect(object.int == 4)
    try test.expectWhole()
  }
}
