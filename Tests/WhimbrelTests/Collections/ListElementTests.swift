import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

@Suite struct ListElementTests {
  private func makeHolder() -> ListHolder {
    let long = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
    let holder = ListHolder(id: 2)
    holder.bools = [true, false, true]
    holder.ints = [.min, -1, 0, .max]
    holder.bytes = [0, 255]
    holder.shorts = [.min, .max]
    holder.words = [0, .max]
    holder.floats = [0, -.infinity, .pi, .leastNonzeroMagnitude]
    holder.doubles = [0, -.infinity, .pi, .leastNonzeroMagnitude]
    holder.texts = ["", "é", "\u{0}", String(repeating: "🐦", count: 30_000)]
    holder.data = [Data(), long, Data([1]), long]
    holder.dates = [.distantPast, Date(timeIntervalSinceReferenceDate: 0.1), .distantFuture]
    holder.uuids = [UUID(), UUID()]
    holder.decimals = [0, Decimal(string: "-12.345678901234567890123456789") ?? 1]
    holder.objectIds = [ObjectId.generate(), ObjectId.generate()]
    holder.tones = [.high, .low, .middle, .low]
    holder.steps = [.up, .down, .none]
    holder.optionalInts = [nil, 1, nil]
    holder.optionalTexts = ["a", nil, ""]
    holder.optionalSteps = [nil, .down]
    return holder
  }

  private func expectEqual(_ left: ListHolder, _ right: ListHolder) {
    #expect(left.bools == right.bools && left.ints == right.ints && left.bytes == right.bytes)
    #expect(left.shorts == right.shorts && left.words == right.words)
    #expect(left.floats == right.floats && left.doubles == right.doubles)
    #expect(left.texts == right.texts && left.data == right.data && left.dates == right.dates)
    #expect(left.uuids == right.uuids && left.decimals == right.decimals)
    #expect(left.objectIds == right.objectIds && left.tones == right.tones)
    #expect(left.steps == right.steps && left.optionalInts == right.optionalInts)
    #expect(left.optionalTexts == right.optionalTexts)
    #expect(left.optionalSteps == right.optionalSteps)
  }

  @Test func `elements of every type come back`() throws {
    let test = try CollectionStore()
    let (unmanaged, holder) = (makeHolder(), makeHolder())
    holder.uuids = unmanaged.uuids
    holder.objectIds = unmanaged.objectIds
    holder.uuids = StoredList(unmanaged.uuids)
    holder.objectIds = StoredList(unmanaged.objectIds)
    try test.store.write { try test.store.add(holder) }
    expectEqual(unmanaged, holder)
    try test.place.expectWhole()
    let store = try test.place.open()
    let again = try #require(store.object(ofType: ListHolder.self, forPrimaryKey: 2))
    expectEqual(unmanaged, again)
    #expect(again.optionalInts[0] == nil && again.optionalInts[1] == 1)
    #expect(
      again.tones[1] == .low && again.steps.last == Step.none && again.data[1].count == 100_000)
  }

  @Test func `elements of every type are set one by one`() throws {
    let test = try CollectionStore()
    let (values, holder) = (makeHolder(), test.holder)
    try test.store.write {
      for value in values.bools { holder.bools.insert(value, at: holder.bools.count) }
      for value in values.ints { holder.ints.insert(value, at: holder.ints.count) }
      for value in values.bytes { holder.bytes.append(value) }
      for value in values.shorts { holder.shorts.append(value) }
      for value in values.words { holder.words.append(value) }
      for value in values.floats { holder.floats.append(value) }
      for value in values.doubles { holder.doubles.append(value) }
      for value in values.texts { holder.texts.append(value) }
      for value in values.data { holder.data.append(value) }
      for value in values.dates { holder.dates.append(value) }
      for value in values.uuids { holder.uuids.append(value) }
      for value in values.decimals { holder.decimals.append(value) }
      for value in values.objectIds { holder.objectIds.append(value) }
      for value in values.tones { holder.tones.append(value) }
      for value in values.steps { holder.steps.append(value) }
      for value in values.optionalInts { holder.optionalInts.append(value) }
      for value in values.optionalTexts { holder.optionalTexts.append(value) }
      for value in values.optionalSteps { holder.optionalSteps.append(value) }
    }
    expectEqual(values, holder)
    try test.store.write {
      holder.data[1] = Data([9])
      holder.data[2] = values.data[1]
      holder.data.remove(at: 3)
      holder.texts.swapAt(0, 3)
      holder.optionalTexts[0] = nil
    }
    #expect(Array(holder.data) == [Data(), Data([9]), values.data[1]])
    #expect(holder.texts[0].count == 30_000 && holder.texts[3].isEmpty)
    #expect(Array(holder.optionalTexts) == [nil, nil, ""])
    try test.place.expectWhole()
  }

  @Test func `lists are described and coded as arrays`() throws {
    let test = try CollectionStore()
    try test.store.write { test.holder.ints = [1, 2, 3] }
    #expect("\(test.holder.ints)" == "[1, 2, 3]" && "\(StoredList<Int>())" == "[]")
    #expect(String(reflecting: test.holder.ints) == "StoredList<Int>([1, 2, 3])")
    #expect("\(StoredList(0..<102))".hasSuffix("98, 99, … 2 more]"))
    let coded = try JSONEncoder().encode(test.holder.ints)
    #expect(String(decoding: coded, as: UTF8.self) == "[1,2,3]")
    #expect(try JSONDecoder().decode(StoredList<Int>.self, from: coded) == test.holder.ints)
  }
}
