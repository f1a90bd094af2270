internal import WhimbrelLMDB

/// A plan for turning records of one layout into records of the layout that their class writes.
///
/// The plan is made once. It separates the parts that are the same in all records from the values
/// that are copied.
final class RecordTransfer {
  let source: ResolvedLayout
  /// A record with the parts that are the same in all records: constant values, and the bits of
  /// values that are always present.
  private let template: StaticArray<UInt8>
  /// The slots that are copied as they are.
  private let ranges: StaticArray<ByteRange>
  /// The slots that are copied together with the bytes they point to.
  private let variables: StaticArray<Variable>
  /// The slots of whole numbers that are compact in at least one of the layouts.
  private let ints: StaticArray<IntCopy>
  /// The positions of the properties that are copied one by one: the optional ones, those that need
  /// a conversion, and those that a migration block must set.
  private let singles: StaticArray<Int>

  /// The parts of a transfer that copying reads, without reference counting. A view must not
  /// outlive its transfer.
  struct View {
    fileprivate let template: StaticArray<UInt8>.View
    fileprivate let ranges: StaticArray<ByteRange>.View
    fileprivate let variables: StaticArray<Variable>.View
    fileprivate let ints: StaticArray<IntCopy>.View
    fileprivate let singles: StaticArray<Int>.View
  }

  var view: View {
    View(
      template: template.view, ranges: ranges.view, variables: variables.view, ints: ints.view,
      singles: singles.view)
  }

  /// A range of bytes that is contiguous in both layouts.
  fileprivate struct ByteRange: BitwiseCopyable, Sendable {
    var from: Int
    var to: Int
    var count: Int
  }

  fileprivate struct Variable: BitwiseCopyable, Sendable {
    var index: Int
    var from: RecordSlot
  }

  fileprivate struct IntCopy: BitwiseCopyable, Sendable {
    var from: RecordSlot
    var to: RecordSlot
  }

  /// - Parameters:
  ///   - indices: The positions of the properties to copy. All others have no value.
  ///   - encoder: The encoder of the records. Its current record is lost.
  init(
    from source: ResolvedLayout, _ indices: [Int], _ encoder: inout RecordEncoder
  ) throws {
    self.source = source
    var (ranges, variables): ([ByteRange], [Variable]) = ([], [])
    var (ints, singles): ([IntCopy], [Int]) = ([], [])
    encoder.begin()
    for index in indices {
      let slot = source.slots[index]
      let place = encoder.place(index)
      // All records have the value, and it does not need an assigned bit. Its bits belong to the
      // template.
      if slot.access == .direct, place.assigned < 0 {
        encoder.mark(place, hasValue: true)
        if place.isVariable {
          variables.append(Variable(index: index, from: slot.place))
        } else if place.isInt, slot.place.size < 8 || place.slot.size < 8 {
          ints.append(IntCopy(from: slot.place, to: place.slot))
        } else {
          ranges.append(
            ByteRange(from: slot.offset, to: place.slot.offset, count: Int(place.slot.size)))
        }
      } else if case .filled(let value)? = source.readConversions[index], value.isShort {
        try encoder.setStored(index, value)
      } else {
        singles.append(index)
      }
    }
    template = StaticArray(encoder.bytes.array)
    self.ranges = StaticArray(Self.joined(ranges))
    self.variables = StaticArray(variables)
    self.ints = StaticArray(ints)
    self.singles = StaticArray(singles)
  }

  /// Joins adjacent ranges into the longest possible ones.
  private static func joined(_ ranges: [ByteRange]) -> [ByteRange] {
    var result: [ByteRange] = []
    for next in ranges.sorted(by: { $0.to < $1.to }) {
      if let last = result.last, last.from + last.count == next.from,
        last.to + last.count == next.to
      {
        result[result.count - 1].count += next.count
      } else {
        result.append(next)
      }
    }
    return result
  }
}

extension PropertyValue {
  /// Whether the value fits into a record.
  fileprivate var isShort: Bool {
    switch self {
    case .string(let text): text.utf8.count <= RecordEncoder.inlineLimit
    case .data(let data): data.count <= RecordEncoder.inlineLimit
    case .list(let values): values.isEmpty
    case .map(let values): values.isEmpty
    default: true
    }
  }
}

extension RecordEncoder {
  /// Begins with values of a record from another table.
  ///
  /// - Parameter copy: A closure that copies one property that the plan cannot copy as plain bytes.
  mutating func begin(
    taking transfer: RecordTransfer.View, _ record: PageBytes,
    _ copy: (inout RecordEncoder, Int) throws -> Void
  ) throws {
    begin(with: transfer.template.bytes)
    let ranges = transfer.ranges
    for number in 0..<ranges.count {
      let range = ranges[number]
      overwrite(at: range.to, from: record, at: range.from, count: range.count)
    }
    let variables = transfer.variables
    for number in 0..<variables.count {
      let variable = variables[number]
      if record.isExternal(at: variable.from) {
        try copy(&self, variable.index)
      } else {
        guard let content = record.variable(at: variable.from) else { throw DamagedRecord() }
        append(content, variable.index)
      }
    }
    let ints = transfer.ints
    for number in 0..<ints.count {
      store(record.int(at: ints[number].from), at: ints[number].to)
    }
    let singles = transfer.singles
    for number in 0..<singles.count { try copy(&self, singles[number]) }
  }
}
