import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

@Suite struct RecordLayoutTests {
  @Test(arguments: 0..<TestRun.count(100, long: 2_000) as Range<UInt64>)
  func `slots are inside and apart; bits are each their own`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 0...150, using: &random)
    let requests = (0..<count).map { number in
      RecordFieldRequest(
        property: PropertyID(rawValue: UInt32(number + 1)),
        type: PropertyType.scalars.randomElement(using: &random)!,
        isOptional: Bool.random(using: &random), needsCode: Bool.random(using: &random))
    }
    let layout = RecordLayout(id: LayoutID(rawValue: 1), requests)
    #expect(layout.isValid)
    #expect(
      layout.fields.count == count && (layout.isCompact || count == 0 || layout.fixedSize % 8 == 0))
    var bytes = Set<Int>()
    var bits = Set<Int>()
    for field in layout.fields {
      let (offset, size) = (field.slot.offset, Int(field.slot.size))
      #expect(size == field.type.compactSlotSize)
      for byte in offset..<offset + size {
        #expect(bytes.insert(byte).inserted && byte < layout.fixedSize)
      }
      let request = requests[Int(field.property.rawValue) - 1]
      #expect((field.presence != nil) == request.isOptional)
      #expect((field.assigned != nil) == request.needsCode)
      for bit in [field.presence, field.assigned].compactMap(\.self) {
        #expect(bits.insert(bit).inserted)
      }
    }
    #expect(bits.count == (bits.max() ?? -1) + 1)
    // Small slots stand before the checksum.
    let firstSlot = bytes.filter { $0 >= RecordLayout.bitsOffset }.min() ?? .max
    let used = bits.isEmpty ? 0 : (bits.count + 7) / 8
    #expect(layout.fixedSize == RecordLayout.bitsOffset + used + bytes.count { $0 >= 8 })
    #expect(bits.allSatisfy { RecordLayout.bitsOffset + $0 / 8 < firstSlot })
  }

  @Test(arguments: [
    -1, 7, 8, 9, 12, 16, 24, 63, 64, 127, 128, 1 << 16, 1 << 16 + 8, Int.max, Int.min,
  ])
  func `a layout from a file is checked`(number: Int) {
    func field(_ offset: Int, _ presence: Int? = nil, _ assigned: Int? = nil) -> RecordField {
      RecordField(
        property: PropertyID(rawValue: 1), type: .int, slot: RecordSlot(offset: offset, size: 8),
        presence: presence,
        assigned: assigned)
    }
    func isValid(_ field: RecordField, _ size: Int, _ id: UInt16 = 1) -> Bool {
      RecordLayout(id: LayoutID(rawValue: id), fields: [field], fixedSize: size).isValid
    }
    #expect(isValid(field(8), 24))
    #expect(isValid(field(number), 24) == (8...16).contains(number))
    #expect(isValid(field(16, number), 24) == (0..<64).contains(number))
    #expect(isValid(field(16, nil, number), 24) == (0..<64).contains(number))
    #expect(isValid(field(8), number) == (16...1 << 16).contains(number))
    #expect(!isValid(field(8), 24, .max))
  }

  // A file may say that two properties share a slot: setting one of them changed the other.
  @Test func `a layout whose slots or bits overlap is refused`() {
    typealias Place = (type: PropertyType, offset: Int, presence: Int?, assigned: Int?)
    func isValid(_ places: [Place]) -> Bool {
      let fields = places.enumerated().map { number, place in
        RecordField(
          property: PropertyID(rawValue: UInt32(number + 1)), type: place.type,
          slot: RecordSlot(offset: place.offset, size: place.type.slotSize),
          presence: place.presence, assigned: place.assigned)
      }
      return RecordLayout(id: LayoutID(rawValue: 1), fields: fields, fixedSize: 48).isValid
    }
    #expect(
      isValid([(.int, 24, 0, 1), (.int, 16, 2, nil), (.bool, 32, nil, 3), (.bool, 33, 4, 5)]))
    #expect(!isValid([(.int, 16, nil, nil), (.int, 16, nil, nil)]))
    #expect(!isValid([(.int, 24, nil, nil), (.int, 17, nil, nil)]))
    #expect(!isValid([(.int, 16, nil, nil), (.bool, 23, nil, nil)]))
    #expect(isValid([(.int, 16, nil, nil), (.bool, 24, nil, nil)]))
    #expect(!isValid([(.int, 16, 0, nil), (.int, 24, 0, nil)]))
    #expect(!isValid([(.int, 16, 3, 3)]))
    #expect(!isValid([(.int, 16, 0, nil), (.int, 24, 64, nil)]))
  }
}
