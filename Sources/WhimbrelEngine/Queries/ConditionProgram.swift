internal import WhimbrelLMDB

/// A condition compiled for the records of one layout.
///
/// Each instruction reads one slot or compares two, and jumps to the next instruction, until the
/// result is known. Texts are compared in place. A condition that needs more than slots is
/// evaluated in general: see ``BoundLeaf``.
@safe
final class ConditionProgram {
  /// The jump targets that end a program: the condition is satisfied, or it is not.
  static let met: Int32 = -1
  static let notMet: Int32 = -2

  let layout: ResolvedLayout
  private let start: Int32
  private let instructions: StaticArray<Instruction>
  /// The texts and other bytes to which slots are compared, concatenated.
  private let constants: ByteBuffer
  private let pairs: StaticArray<SlotPair>
  private let tests: [TextTest]
  private let leaves: [BoundLeaf]
  private let targets: [TargetSet]
  private let table: ClassTable

  /// An operation on one slot or on a pair of slots.
  struct Instruction: BitwiseCopyable, Sendable {
    var kind: Kind
    /// The orders of the slot and a constant that satisfy the condition, for `bytes` and `decimal`.
    var orders: ValueOrders = []
    var slot = RecordSlot(offset: 0, size: 0)
    /// The bit that is set if the slot has a value, or -1 if it always has one.
    var presence: Int32 = -1
    var ifNil = notMet
    var ifMet = met
    var ifNot = notMet
    /// The smallest value that satisfies the condition, or another operand: see ``Kind``.
    var low: Int64 = 0
    /// The largest value that satisfies the condition, or another operand.
    var high: Int64 = 0

    enum Kind: UInt8, BitwiseCopyable, Sendable {
      /// An integer, a Boolean or an object ID is in the range.
      case int8, int16, int32, int, compactInt, uint8, uint16, uint32, bool
      /// A floating-point number is in the range. The bounds are stored as bit patterns.
      case float, double
      /// A text equals, or begins with, the constant at the offset `low` with the length `high`.
      case textEqual, textPrefix
      /// A text passes the test at the index `low`.
      case text
      /// A UUID or an `ObjectId` has one of the orders to the constant at the offset `low`, whose
      /// length is `high`.
      case bytes
      /// A decimal has one of the orders to the constant at the offset `low`. If the words of the
      /// slot are not enough to decide, the leaf at the index `high` decides.
      case decimal
      /// The two slots satisfy the comparison of the pair at the index `low`.
      case pair
      /// The slot has a value.
      case present
      /// A link leads to an object of the set at the index `low`.
      case leads
      /// The object satisfies the leaf at the index `low`.
      case leaf
    }
  }

  /// - Parameter isGeneral: Whether all comparisons are evaluated in general.
  init(_ test: BoundTest, _ layout: ResolvedLayout, in table: ClassTable, isGeneral: Bool) {
    var compiler = ConditionCompiler(layout, table, isGeneral: isGeneral)
    start = compiler.compile(test, ifMet: Self.met, ifNot: Self.notMet)
    instructions = StaticArray(compiler.instructions)
    constants = ByteBuffer(compiler.constants)
    pairs = StaticArray(compiler.pairs)
    tests = compiler.tests
    leaves = compiler.leaves
    targets = compiler.targets
    self.layout = layout
    self.table = table
  }

  /// A runner without reference counting. It must not outlive the program.
  var runner: Runner {
    unsafe Runner(
      start: start, instructions: instructions.view, constants: constants.bytes, pairs: pairs.view,
      layoutID: layout.layout.id, fixedSize: layout.layout.fixedSize,
      unsafeProgram: .passUnretained(self))
  }

  /// Evaluates an instruction that needs more than its slots.
  @inline(never)
  fileprivate func isMetSlowly(
    _ instruction: Instruction, _ record: PageBytes, _ id: ObjectID, _ source: QuerySource
  ) throws -> Bool {
    if instruction.kind == .leads {
      let id = UInt64(littleEndian: record.load(UInt64.self, at: instruction.slot.offset))
      return targets[Int(instruction.low)].contains(ObjectID(rawValue: id))
    }
    if let leaf = leaf(of: instruction) { return try leaf.matches(id, record, source) }
    let test =
      instruction.kind == .text
      ? tests[Int(instruction.low)] : constantTest(instruction)
    let slot = instruction.slot
    if let text = record.variable(at: slot) { return test.holds(text) }
    return try table.explaining(id) {
      guard record.isExternal(at: slot),
        let field = layout.layout.fields.first(where: { $0.slot == slot })
      else { throw DamagedRecord() }
      let bytes = try source.overflow(table, id).bytes(
        field.property, length: record.length(at: slot))
      return PageBytes.with(bytes) { test.holds($0) }
    }
  }

  private func leaf(of instruction: Instruction) -> BoundLeaf? {
    switch instruction.kind {
    case .leaf: leaves[Int(instruction.low)]
    case .decimal: leaves[Int(instruction.high)]
    case .pair: leaves[Int(pairs.view[Int(instruction.low)].leaf)]
    default: nil
    }
  }

  /// Returns the test for a text constant. It is used for texts that are not in the record.
  private func constantTest(_ instruction: Instruction) -> TextTest {
    let text = constants.bytes.slice(at: Int(instruction.low), count: Int(instruction.high))
    return TextTest(
      instruction.kind == .textEqual ? .equal : .beginsWith, text?.array ?? [])
  }
}

extension ConditionProgram {
  /// A view of a program that runs it on one record after another.
  @safe
  struct Runner {
    fileprivate let start: Int32
    fileprivate let instructions: StaticArray<Instruction>.View
    fileprivate let constants: PageBytes
    fileprivate let pairs: StaticArray<SlotPair>.View
    let layoutID: LayoutID
    let fixedSize: Int
    // Safe: the program outlives its runners.
    @safe fileprivate let unsafeProgram: Unmanaged<ConditionProgram>

    /// The offset that the first instruction reads, so that a scan can prefetch it, or 0 if there
    /// is no instruction.
    var firstOffset: Int { start >= 0 ? instructions[Int(start)].slot.offset : 0 }

    /// Returns whether a record satisfies the condition.
    ///
    /// - Precondition: The record has the layout of the program and is not shorter than it.
    @inline(__always)
    func matches(
      _ record: PageBytes, _ id: ObjectID, _ source: QuerySource
    ) throws -> Bool {
      var next = start
      while next >= 0 {
        let instruction = instructions[Int(next)]
        if instruction.presence >= 0, !record.hasBit(Int(instruction.presence)) {
          next = instruction.ifNil
        } else {
          next =
            try isMet(instruction, record, id, source) ? instruction.ifMet : instruction.ifNot
        }
      }
      return next == ConditionProgram.met
    }

    @inline(__always)
    private func isMet(
      _ instruction: Instruction, _ record: PageBytes, _ id: ObjectID, _ source: QuerySource
    ) throws -> Bool {
      let offset = instruction.slot.offset
      switch instruction.kind {
      case .double: return instruction.holds(record.double(at: offset))
      case .float: return instruction.holds(Double(record.float(at: offset)))
      case .present: return true
      case .textEqual, .textPrefix:
        guard let text = record.variable(at: instruction.slot),
          let constant = constants.slice(
            at: Int(instruction.low), count: Int(instruction.high))
        else { break }
        if instruction.kind == .textEqual { return text.isEqual(to: constant) }
        guard let prefix = text.slice(at: 0, count: constant.count) else { return false }
        return prefix.isEqual(to: constant)
      case .bytes:
        guard let bytes = record.slice(at: offset, count: Int(instruction.high)),
          let constant = constants.slice(at: Int(instruction.low), count: Int(instruction.high))
        else { return false }
        return instruction.orders.contains(ValueOrder(bytes.order(to: constant), 0))
      case .decimal:
        let number = DecimalWords(record, at: offset)
        guard number.isInRange else { break }
        let constant = DecimalWords(constants, at: Int(instruction.low))
        return instruction.orders.contains(number.order(to: constant))
      case .pair:
        if let isMet = pairs[Int(instruction.low)].isMet(record) { return isMet }
      case .text, .leads, .leaf: break
      case let kind: return instruction.holds(record.whole(kind, at: offset))
      }
      return try unsafe unsafeProgram._withUnsafeGuaranteedRef {
        try $0.isMetSlowly(instruction, record, id, source)
      }
    }
  }
}

extension ConditionProgram.Instruction {
  @inline(__always)
  fileprivate func holds(_ number: Int64) -> Bool { number >= low && number <= high }

  /// Returns whether a number is in the range. NaN is not in any range.
  @inline(__always)
  fileprivate func holds(_ number: Double) -> Bool {
    number >= Double(bitPattern: UInt64(bitPattern: low))
      && number <= Double(bitPattern: UInt64(bitPattern: high))
  }
}

extension PageBytes {
  /// Returns the value of a slot as an integer, or 0 for kinds that are not integers.
  @inline(__always)
  func whole(_ kind: ConditionProgram.Instruction.Kind, at offset: Int) -> Int64 {
    switch kind {
    case .int: Int64(littleEndian: load(Int64.self, at: offset))
    case .compactInt: compactInt(at: offset)
    case .bool: load(UInt8.self, at: offset) == 0 ? 0 : 1
    case .int32: Int64(Int32(littleEndian: load(Int32.self, at: offset)))
    case .int16: Int64(Int16(littleEndian: load(Int16.self, at: offset)))
    case .int8: Int64(load(Int8.self, at: offset))
    case .uint32: Int64(UInt32(littleEndian: load(UInt32.self, at: offset)))
    case .uint16: Int64(UInt16(littleEndian: load(UInt16.self, at: offset)))
    case .uint8: Int64(load(UInt8.self, at: offset))
    case .float, .double, .textEqual, .textPrefix, .text, .bytes, .decimal, .pair, .present, .leads,
      .leaf:
      0
    }
  }
}
