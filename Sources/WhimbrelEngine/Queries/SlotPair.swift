internal import Foundation
internal import WhimbrelLMDB

/// Two slots of one record, whose values are compared with each other.
struct SlotPair: BitwiseCopyable, Sendable {
  private let kind: Kind
  private let left: Side
  private let right: Side
  /// The orders of the values that satisfy the condition.
  private let orders: ValueOrders
  /// The index of the leaf that decides if the slots are not enough.
  let leaf: Int32

  fileprivate struct Side: BitwiseCopyable, Sendable {
    let slot: RecordSlot
    /// The instruction that reads a number in such a slot, or `present` for other values.
    let kind: ConditionProgram.Instruction.Kind
  }

  /// The way in which two values are compared.
  private enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// Integers, Booleans or links.
    case whole
    case floating
    /// An integer with a floating-point number.
    case wholeAndFloating
    case text
    /// The same number of bytes on both sides, which sort like the values.
    case bytes
    case decimal
  }

  /// Creates a pair for a comparison of two fields. Returns nil if their slots cannot be compared.
  init?(
    _ first: RecordField, _ comparison: QueryComparison, _ second: RecordField, leaf: Int32
  ) {
    var (left, right, comparison) = (Side(first), Side(second), comparison)
    switch (first.type, second.type) {
    case (.string, .string): kind = .text
    case (.uuid, .uuid), (.objectId, .objectId): kind = .bytes
    case (.decimal, .decimal): kind = .decimal
    default:
      switch (first.wholeKind, second.wholeKind) {
      case (_?, _?): kind = .whole
      case (nil, nil) where left.isFloating && right.isFloating: kind = .floating
      case (_?, nil) where right.isFloating: kind = .wholeAndFloating
      case (nil, _?) where left.isFloating:
        guard let exchanged = comparison.exchanged else { return nil }
        (left, right, comparison) = (right, left, exchanged)
        kind = .wholeAndFloating
      default: return nil
      }
    }
    guard let orders = ValueOrders(comparison) else { return nil }
    (self.left, self.right, self.orders, self.leaf) = (left, right, orders, leaf)
  }

  /// Returns whether the values of a record satisfy the condition, or nil if the slots are not
  /// enough to decide.
  func isMet(_ record: PageBytes) -> Bool? {
    switch kind {
    case .whole:
      return orders.contains(ValueOrder(left.whole(record), right.whole(record)))
    case .floating:
      return orders.contains(left.floating(record).order(to: right.floating(record)))
    case .wholeAndFloating:
      return orders.contains(left.whole(record).order(to: right.floating(record)))
    case .text:
      guard let text = record.variable(at: left.slot), let other = record.variable(at: right.slot)
      else { return nil }
      return orders.contains(ValueOrder(text.order(to: other), 0))
    case .bytes:
      let count = Int(left.slot.size)
      guard let bytes = record.slice(at: left.slot.offset, count: count),
        let other = record.slice(at: right.slot.offset, count: count)
      else { return nil }
      return orders.contains(ValueOrder(bytes.order(to: other), 0))
    case .decimal:
      let number = DecimalWords(record, at: left.slot.offset)
      let other = DecimalWords(record, at: right.slot.offset)
      guard number.isInRange, other.isInRange else { return nil }
      return orders.contains(number.order(to: other))
    }
  }
}

extension SlotPair.Side {
  init(_ field: RecordField) {
    self.init(
      slot: field.slot, kind: field.wholeKind ?? field.type.floatingKind ?? .present)
  }

  var isFloating: Bool { kind == .float || kind == .double }

  @inline(__always)
  func whole(_ record: PageBytes) -> Int64 { record.whole(kind, at: slot.offset) }

  @inline(__always)
  func floating(_ record: PageBytes) -> Double {
    kind == .float ? Double(record.float(at: slot.offset)) : record.double(at: slot.offset)
  }
}
