internal import WhimbrelLMDB

/// A reader of plain values in the records of one layout, without reference counting.
struct PlainReader {
  let slots: StaticArray<ResolvedLayout.Slot>.View
  let places: StaticArray<ResolvedLayout.Place>.View

  /// Returns the value of a property, or nil unless it is plain and in the record.
  func value(_ index: Int, of record: PageBytes) -> PropertyValue? {
    let slot = slots[index]
    switch slot.access {
    case .conversion: return nil
    case .present where !record.hasBit(Int(slot.presence)): return .null
    case .direct, .present: break
    }
    switch places[index].plain {
    case .none: return nil
    case .bool: return .bool(record.load(UInt8.self, at: slot.offset) != 0)
    case .int: return .int(record.int(at: slot.place))
    case .double: return .double(record.double(at: slot.offset))
    case .text: return record.variable(at: slot.place).map { .string($0.text) }
    case .data: return record.variable(at: slot.place).map { .data($0.data) }
    }
  }
}
