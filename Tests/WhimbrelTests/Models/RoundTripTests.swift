import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

@Suite struct RoundTripTests {
  @Test func `every required type keeps its extremes bit for bit, added and modified`() throws {
    let test = try TestStore()
    let expected = (0..<Extremes.rounds).map { Extremes.required($0).exactValues }
    let next = (1...Extremes.rounds).map { Extremes.required($0).exactValues }
    do {
      let store = try test.open()
      try store.write {
        for round in 0..<Extremes.rounds {
          let object = Extremes.required(round)
          try store.add(object)
          #expect(object.exactValues == expected[round])
        }
      }
    }
    do {
      let store = try test.open()
      #expect(store.objects(Required.self).map(\.exactValues) == expected)
      try store.write {
        for (round, object) in store.objects(Required.self).enumerated() {
          Extremes.assign(round + 1, to: object)
          #expect(object.exactValues == next[round])
        }
      }
    }
    #expect(try test.open().objects(Required.self).map(\.exactValues) == next)
    try test.expectWhole()
  }

  @Test func `every optional type keeps its extremes and nil, added and modified`() throws {
    let test = try TestStore()
    let expected = (0..<Extremes.rounds).map { Extremes.optionals($0).exactValues }
    let empty = Optionals().exactValues
    #expect(Set(empty) == [PropertyValue.null.exact])
    do {
      let store = try test.open()
      try store.write {
        for round in 0..<Extremes.rounds { try store.add(Extremes.optionals(round)) }
        try store.add(Optionals())
      }
    }
    do {
      let store = try test.open()
      #expect(store.objects(Optionals.self).map(\.exactValues) == expected + [empty])
      try store.write {
        for object in store.objects(Optionals.self) { Extremes.assignNil(to: object) }
        #expect(store.objects(Optionals.self).allSatisfy { $0.exactValues == empty })
      }
    }
    do {
      let store = try test.open()
      #expect(store.objects(Optionals.self).allSatisfy { $0.exactValues == empty })
      try store.write {
        for (round, object) in store.objects(Optionals.self).enumerated() {
          Extremes.assign(round, to: object)
          object.link = store.objects(Optionals.self).last
        }
      }
    }
    let store = try test.open()
    #expect(
      store.objects(Optionals.self).map(\.exactValues)
        == expected + [Extremes.optionals(Extremes.rounds).exactValues])
    let last = try #require(store.objects(Optionals.self).last)
    #expect(
      store.objects(Optionals.self).allSatisfy { $0.link?.isSameObject(as: last) == true })
    try test.expectWhole()
  }

  @Test func `values assigned one by one to one object do not disturb each other`() throws {
    let test = try TestStore()
    let store = try test.open()
    let object = Extremes.optionals(0)
    try store.write { try store.add(object) }
    for round in 1...20 {
      try store.write { object.string = String(repeating: "é\u{0}", count: round * 37) }
      try store.write { object.data = Data(repeating: UInt8(round), count: 400 - round * 17) }
      try store.write { object.int8 = round % 3 == 0 ? nil : Int8(round) }
      #expect(object.string?.utf8.count == round * 37 * 3)
      #expect(object.data == Data(repeating: UInt8(round), count: 400 - round * 17))
      #expect(object.int8 == (round % 3 == 0 ? nil : Int8(round)))
      #expect(object.season == Extremes.required(0).season)
    }
    try test.expectWhole()
  }
}
