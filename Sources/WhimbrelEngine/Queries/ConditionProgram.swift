internal import WhimbrelLMDB

/// A condition as instructions for the records of one layout.
///
/// Each instruction looks at one slot and says which comes next, until it is known whether
/// the condition is met. Texts are compared where they are. What needs more than the slot
/// goes the general way: see ``BoundLeaf``.
@safe
final class ConditionProgram {
  /// Where to go on when it is known that the condition is met, or that it is not.
  static let met: Int32 = -1
  static let notMet: Int32 = -2

  let layout: ResolvedLayout
  private let start: Int32
  private let instructions: StaticArray<Instruction>
  /// The texts that others are compared with.
  private let constants: ByteBuffer
  private let tests: [TextTest]
  private let leaves: [BoundLeaf]
  private let table: ClassTable

  /// What is done with one slot.
  struct Instruction: BitwiseCopyable, Sendable {
    var kind: Kind
    var offset: Int32 = 0
    /// The bit that says whether there is a value, or -1.
    var presence: Int32 = -1
    var ifNil = notMet
    var ifMet = met
    var ifNot = notMet
    /// The least value that meets the condition, or what else the kind needs.
    var low: Int64 = 0
    /// The greatest value that meets the condition.
    var high: Int64 = 0

    enum Kind: UInt8, BitwiseCopyable, Sendable {
      /// A whole number, or the ID of an object, lies in a range.
      case int8, int16, int32, int, uint8, uint16, uint32, bool
      /// A number lies in a range, whose ends are bit patterns.
      case float, double
      /// A text is, or begins with, the constant at an offset, `low`, of a length, `high`.
      case textEqual, textPrefix
      /// A text meets the test with the number `low`.
      case text
      /// There is a value.
      case present
      /// The leaf with the number `low` is met.
      case leaf
    }
  }

  init(_ test: BoundTest, _ layout: ResolvedLayout, in table: ClassTable) {
    var compiler = ConditionCompiler(layout, table)
    start = compiler.compile(test, ifMet: Self.met, ifNot: Self.notMet)
    instructions = StaticArray(compiler.instructions)
    constants = ByteBuffer(compiler.constants)
    tests = compiler.tests
    leaves = compiler.leaves
    self.layout = layout
    self.table = table
  }

  /// What runs the program without counting references. It must not outlive it.
  var runner: Runner {
    unsafe Runner(
      start: start, instructions: instructions.view, constants: constants.bytes,
      layoutID: layout.layout.id, fixedSize: layout.layout.fixedSize,
      unsafeProgram: .passUnretained(self))
  }

  /// Does what takes more than a look at the slot.
  @inline(never)
  fileprivate func isMetSlowly(
    _ instruction: Instruction, _ record: PageBytes, _ id: ObjectID, _ source: QuerySource
  ) throws -> Bool {
    if instruction.kind == .leaf {
      let leaf = leaves[Int(instruction.low)]
      // While a migration runs, reading one object may move another.
      guard table.isOfMigration else { return try leaf.matches(id, record, source) }
      return try source.record(table, id).map { try leaf.matches(id, $0, source) } ?? false
    }
    let test =
      instruction.kind == .text
      ? tests[Int(instruction.low)] : constantTest(instruction)
    let offset = Int(instruction.offset)
    if let text = record.variable(at: offset) { return test.holds(text) }
    return try table.explaining(id) {
      guard record.isExternal(at: offset),
        let field = layout.layout.fields.first(where: { $0.offset == offset })
      else { throw DamagedRecord() }
      let bytes = try source.overflow(table, id).bytes(
        field.property, length: record.length(at: offset))
      return PageBytes.with(bytes) { test.holds($0) }
    }
  }

  /// The test of a text that was taken to be short.
  private func constantTest(_ instruction: Instruction) -> TextTest {
    let text = constants.bytes.slice(at: Int(instruction.low), count: Int(instruction.high))
    return TextTest(
      instruction.kind == .textEqual ? .equal : .beginsWith, text?.array ?? [])
  }
}

extension ConditionProgram {
  /// Runs a program on one record after the other.
  @safe
  struct Runner {
    fileprivate let start: Int32
    fileprivate let instructions: StaticArray<Instruction>.View
    fileprivate let constants: PageBytes
    let layoutID: LayoutID
    let fixedSize: Int
    // Safe: the program outlives its runners.
    @safe fileprivate let unsafeProgram: Unmanaged<ConditionProgram>

    /// Where records are looked at first: 0 where that is nowhere.
    var firstOffset: Int { start >= 0 ? Int(instructions[Int(start)].offset) : 0 }

    /// Whether a record meets the condition.
    ///
    /// - Precondition: it has the layout of the program, and its full size.
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
      let offset = Int(instruction.offset)
      switch instruction.kind {
      case .double: return instruction.holds(record.double(at: offset))
      case .float: return instruction.holds(Double(record.float(at: offset)))
      case .present: return true
      case .textEqual, .textPrefix:
        guard let text = record.variable(at: offset),
          let constant = constants.slice(
            at: Int(instruction.low), count: Int(instruction.high))
        else { break }
        if instruction.kind == .textEqual { return text.isEqual(to: constant) }
        guard let prefix = text.slice(at: 0, count: constant.count) else { return false }
        return prefix.isEqual(to: constant)
      case .text, .leaf: break
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

  /// NaN lies in no range.
  @inline(__always)
  fileprivate func holds(_ number: Double) -> Bool {
    number >= Double(bitPattern: UInt64(bitPattern: low))
      && number <= Double(bitPattern: UInt64(bitPattern: high))
  }
}

extension PageBytes {
  /// A whole number, or what stands for another value; 0 for kinds that have none.
  @inline(__always)
  func whole(_ kind: ConditionProgram.Instruction.Kind, at offset: Int) -> Int64 {
    switch kind {
    case .int: Int64(littleEndian: load(Int64.self, at: offset))
    case .bool: load(UInt8.self, at: offset) == 0 ? 0 : 1
    case .int32: Int64(Int32(littleEndian: load(Int32.self, at: offset)))
    case .int16: Int64(Int16(littleEndian: load(Int16.self, at: offset)))
    case .int8: Int64(load(Int8.self, at: offset))
    case .uint32: Int64(UInt32(littleEndian: load(UInt32.self, at: offset)))
    case .uint16: Int64(UInt16(littleEndian: load(UInt16.self, at: offset)))
    case .uint8: Int64(load(UInt8.self, at: offset))
    case .float, .double, .textEqual, .textPrefix, .text, .present, .leaf: 0
    }
  }
}
