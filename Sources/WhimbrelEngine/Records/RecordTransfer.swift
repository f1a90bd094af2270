internal import WhimbrelLMDB

/// How records of one layout become records of the layout that their class writes,
/// worked out once: what is the same in all of them, and what is copied.
final class RecordTransfer {
  let source: ResolvedLayout
  /// A record that has what is the same in all: fills, and bits for values that are
  /// always there.
  fileprivate let template: [UInt8]
  /// Slots that are copied as they are.
  fileprivate let stretches: StaticArray<Stretch>
  /// Slots whose bytes behind the slots come with them.
  fileprivate let variables: StaticArray<Variable>
  /// The positions of properties that are copied one by one: what may be nil, or is
  /// long.
  fileprivate let singles: StaticArray<Int>

  /// Bytes that stand together in both layouts.
  fileprivate struct Stretch: BitwiseCopyable, Sendable {
    var from: Int
    var to: Int
    var count: Int
  }

  fileprivate struct Variable: BitwiseCopyable, Sendable {
    var index: Int
    var from: Int
    var to: Int
  }

  /// - Parameters:
  ///   - indices: the positions of the properties that are taken over; all others are
  ///     left without a value.
  ///   - encoder: what builds the records; its own record is lost.
  init(
    from source: ResolvedLayout, _ indices: [Int], _ encoder: inout RecordEncoder
  ) throws {
    self.source = source
    var (stretches, variables, singles): ([Stretch], [Variable], [Int]) = ([], [], [])
    encoder.begin()
    for index in indices {
      let slot = source.slots[index]
      let place = encoder.place(index)
      if slot.access == .direct, place.assigned < 0 {
        encoder.mark(place, hasValue: true)
        if place.isVariable {
          variables.append(
            Variable(index: index, from: Int(slot.offset), to: Int(place.offset)))
        } else {
          stretches.append(
            Stretch(from: Int(slot.offset), to: Int(place.offset), count: Int(place.size)))
        }
      } else if case .filled(let value)? = source.detours[index], value.isShort {
        try encoder.setStored(index, value)
      } else {
        singles.append(index)
      }
    }
    template = encoder.bytes.array
    self.stretches = StaticArray(Self.joined(stretches))
    self.variables = StaticArray(variables)
    self.singles = StaticArray(singles)
  }

  /// Stretches as long as possible.
  private static func joined(_ stretches: [Stretch]) -> [Stretch] {
    var result: [Stretch] = []
    for next in stretches.sorted(by: { $0.to < $1.to }) {
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
  /// Whether a record has room for the value.
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
  /// Begins with values of a record of another table.
  ///
  /// - Parameter extents: what of the object lies outside of the record; it is written
  ///   anew.
  mutating func begin(
    taking transfer: RecordTransfer, _ record: PageBytes, _ extents: @autoclosure () -> Extents
  ) throws {
    begin(with: transfer.template)
    let stretches = transfer.stretches.view
    for number in 0..<stretches.count {
      let stretch = stretches[number]
      overwrite(at: stretch.to, from: record, at: stretch.from, count: stretch.count)
    }
    let variables = transfer.variables.view
    for number in 0..<variables.count {
      let variable = variables[number]
      if record.isExternal(at: variable.from) {
        try copy(variable.index, from: record, transfer.source, extents(), .copied)
      } else {
        guard let content = record.variable(at: variable.from) else { throw DamagedRecord() }
        append(content, slot: variable.to)
      }
    }
    let singles = transfer.singles.view
    for number in 0..<singles.count {
      try copy(singles[number], from: record, transfer.source, extents(), .copied)
    }
  }
}
