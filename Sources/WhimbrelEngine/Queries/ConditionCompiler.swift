/// A compiler of conditions into the instructions of a ``ConditionProgram``.
///
/// It works from the last instruction to the first, so every jump target is known when it is
/// needed.
struct ConditionCompiler {
  private(set) var instructions: [ConditionProgram.Instruction] = []
  private(set) var tests: [TextTest] = []
  var constants: [UInt8] = []
  var leaves: [BoundLeaf] = []
  private(set) var targets: [TargetSet] = []
  var pairs: [SlotPair] = []
  private let layout: ResolvedLayout
  private let table: ClassTable
  /// Whether all comparisons are evaluated in general. An instruction for a slot reads the record
  /// that the program was given, which an earlier comparison may have invalidated.
  private let isGeneral: Bool

  init(_ layout: ResolvedLayout, _ table: ClassTable, isGeneral: Bool = false) {
    self.layout = layout
    self.table = table
    self.isGeneral = isGeneral
  }

  /// Compiles a condition. Returns the index of its first instruction, or the jump target itself if
  /// the condition does not need an instruction.
  mutating func compile(_ test: BoundTest, ifMet: Int32, ifNot: Int32) -> Int32 {
    compile(ordered: ordered(test).test, ifMet, ifNot)
  }

  private mutating func compile(
    ordered test: BoundTest, _ ifMet: Int32, _ ifNot: Int32
  ) -> Int32 {
    switch test {
    case .always(let isMet):
      return isMet ? ifMet : ifNot
    case .not(let part):
      return compile(ordered: part, ifNot, ifMet)
    case .and(let parts):
      return parts.reduce(ifMet) { next, part in compile(ordered: part, next, ifNot) }
    case .or(let parts):
      return parts.reduce(ifNot) { next, part in compile(ordered: part, ifMet, next) }
    case .leaf(let leaf):
      return compile(leaf, ifMet, ifNot)
    }
  }

  /// Returns a condition with its parts in the order of compilation, and whether all of it is fast.
  /// The part that is compiled first runs last, so slow parts come first.
  ///
  /// - Complexity: O(*n*) in the leaves, also of a condition that is nested deeply.
  private func ordered(_ test: BoundTest) -> (test: BoundTest, isFast: Bool) {
    switch test {
    case .always:
      return (test, true)
    case .not(let part):
      let (inner, isFast) = ordered(part)
      return (.not(inner), isFast)
    case .and(let parts):
      let (inner, isFast) = ordered(parts)
      return (.and(inner), isFast)
    case .or(let parts):
      let (inner, isFast) = ordered(parts)
      return (.or(inner), isFast)
    case .leaf(let leaf):
      return (test, place(of: leaf) != .general || isPair(leaf))
    }
  }

  private func ordered(_ parts: [BoundTest]) -> (parts: [BoundTest], isFast: Bool) {
    var (slow, fast): ([BoundTest], [BoundTest]) = ([], [])
    for part in parts.reversed() {
      let (inner, isFast) = ordered(part)
      if isFast { fast.append(inner) } else { slow.append(inner) }
    }
    return (slow + fast, slow.isEmpty)
  }
}

// MARK: - Leaves

extension ConditionCompiler {
  /// The location of an expression's value for a compiled condition.
  enum Place: Equatable {
    /// All records of the layout have this value.
    case constant(PropertyValue)
    /// The value is in a slot of the record. `ifNil` replaces nil.
    case slot(RecordField, ifNil: PropertyValue)
    /// The expression must be evaluated in general: see ``BoundLeaf``.
    case general
  }

  /// Returns the location of the value that a leaf compares with constants.
  private func place(of leaf: BoundLeaf) -> Place {
    leaf.isAboutLeftOnly ? place(of: leaf.left) : .general
  }

  func place(of expression: BoundExpression) -> Place {
    guard let position = expression.position, expression.quantifier == nil, !table.isOfMigration
    else { return .general }
    let slot = layout.slots[position]
    switch (slot.access, layout.fields[position], layout.readConversions[position]) {
    case (.direct, let field?, _), (.present, let field?, _):
      // A value of any type stores nil in the value itself, not in a presence bit.
      return field.type == .any ? .general : .slot(field, ifNil: .null)
    case (.conversion, _, .filled(let value)?):
      return .constant(value)
    case (.conversion, _, .converted(let field, let conversion, let nilBecomes)?):
      // Widened numbers compare like the stored ones, so the slot can be compared directly.
      return conversion.keepsValues && field.type != .any
        ? .slot(field, ifNil: nilBecomes) : .general
    default:
      return .general
    }
  }

  mutating func compile(_ leaf: BoundLeaf, _ ifMet: Int32, _ ifNot: Int32) -> Int32 {
    if isGeneral { return general(leaf, ifMet, ifNot) }
    switch place(of: leaf) {
    case .constant(let value):
      return leaf.holds(value) ? ifMet : ifNot
    case .slot(let field, let nilValue):
      let ifNil = leaf.holds(nilValue) ? ifMet : ifNot
      let base = Target(
        expression: leaf.left, field: field, ifNil: ifNil, ifMet: ifMet, ifNot: ifNot)
      return compile(leaf, base) ?? general(leaf, ifMet, ifNot)
    case .general:
      return compilePair(leaf, ifMet, ifNot) ?? general(leaf, ifMet, ifNot)
    }
  }

  private mutating func general(_ leaf: BoundLeaf, _ ifMet: Int32, _ ifNot: Int32) -> Int32 {
    leaves.append(leaf)
    return append(
      ConditionProgram.Instruction(
        kind: .leaf, ifMet: ifMet, ifNot: ifNot, low: Int64(leaves.count - 1)))
  }

  mutating func append(_ instruction: ConditionProgram.Instruction) -> Int32 {
    instructions.append(instruction)
    return Int32(instructions.count - 1)
  }

  /// A slot, and the jump targets of its instruction.
  struct Target {
    /// The expression whose value is in the slot.
    let expression: BoundExpression
    let field: RecordField
    let ifNil: Int32
    var ifMet: Int32
    var ifNot: Int32

    func instruction(
      _ kind: ConditionProgram.Instruction.Kind, _ low: Int64, _ high: Int64,
      isNegated: Bool = false
    ) -> ConditionProgram.Instruction {
      ConditionProgram.Instruction(
        kind: kind, slot: field.slot, presence: Int32(field.presence ?? -1),
        ifNil: ifNil, ifMet: isNegated ? ifNot : ifMet, ifNot: isNegated ? ifMet : ifNot,
        low: low, high: high)
    }

    /// Returns an instruction that compares the slot with the constant at an offset.
    func instruction(
      _ kind: ConditionProgram.Instruction.Kind, _ orders: ValueOrders, _ offset: Int,
      _ high: Int
    ) -> ConditionProgram.Instruction {
      var instruction = instruction(kind, Int64(offset), Int64(high))
      instruction.orders = orders
      return instruction
    }
  }

  /// Compiles a leaf on a slot. Returns nil if it cannot be expressed with instructions.
  private mutating func compile(_ leaf: BoundLeaf, _ target: Target) -> Int32? {
    switch leaf.kind {
    case .compare(let test, .constant(let value)):
      if value.isNull { return compileNull(test.comparison == .notEqual, target) }
      return compile(test.comparison, value, target)
    case .text(let textTest, let test, .string(let text)):
      guard target.field.type == .string else { return nil }
      return compile(textTest, test, text, target)
    case .isBetween(let lower, let upper, let includesUpper):
      return compile(lower, upper, includesUpper, target)
    case .isIn(let set):
      // A short list becomes a chain of comparisons with the slot, which does not create values.
      // The cost of the chain grows with the list. The general evaluation looks integers and texts
      // up in hash sets, so it is used for longer lists.
      guard set.values.count <= 8, set.options.isEmpty else { return nil }
      return compile(set.values, target)
    case .leads(let set):
      targets.append(set)
      return append(target.instruction(.leads, Int64(targets.count - 1), 0))
    default:
      return nil
    }
  }

  /// Compiles a comparison with nil. A value that is present is never nil.
  private mutating func compileNull(_ isMet: Bool, _ target: Target) -> Int32 {
    let ifPresent = isMet ? target.ifMet : target.ifNot
    if target.field.presence == nil || target.ifNil == ifPresent { return ifPresent }
    return append(target.instruction(.present, 0, 0, isNegated: !isMet))
  }

  private mutating func compile(
    _ comparison: QueryComparison, _ value: PropertyValue, _ target: Target
  ) -> Int32? {
    if let kind = target.field.wholeKind {
      return WholeRange(comparison, value).map { append(kind, $0, target) }
    }
    if let kind = target.field.type.floatingKind {
      return FloatingRange(comparison, value).map { append(kind, $0, target) }
    }
    return compileOrder(comparison, value, target)
  }

  private mutating func compile(
    _ lower: PropertyValue, _ upper: PropertyValue, _ includesUpper: Bool, _ target: Target
  ) -> Int32? {
    let last = includesUpper ? QueryComparison.lessOrEqual : .less
    if let kind = target.field.wholeKind {
      guard var range = WholeRange(.greaterOrEqual, lower), let other = WholeRange(last, upper)
      else { return nil }
      range.intersect(other)
      return append(kind, range, target)
    }
    if let kind = target.field.type.floatingKind {
      guard var range = FloatingRange(.greaterOrEqual, lower),
        let other = FloatingRange(last, upper)
      else { return nil }
      range.intersect(other)
      return append(kind, range, target)
    }
    return compileOrders(lower, upper, last, target)
  }

  private mutating func append(
    _ kind: ConditionProgram.Instruction.Kind, _ range: WholeRange, _ target: Target
  ) -> Int32 {
    // An empty range becomes 1...0, which contains no number.
    append(
      target.instruction(
        kind, range.isEmpty ? 1 : range.low, range.isEmpty ? 0 : range.high,
        isNegated: range.isNegated))
  }

  private mutating func append(
    _ kind: ConditionProgram.Instruction.Kind, _ range: FloatingRange, _ target: Target
  ) -> Int32 {
    let (low, high) = range.isEmpty ? (1, 0) : (range.low, range.high)
    return append(
      target.instruction(
        kind, Int64(bitPattern: low.bitPattern), Int64(bitPattern: high.bitPattern),
        isNegated: range.isNegated))
  }

  private mutating func compile(
    _ textTest: TextTest, _ test: ValueTest, _ text: String, _ target: Target
  ) -> Int32 {
    let isPlain = test.options.isEmpty
    switch test.comparison {
    case .equal, .notEqual, .beginsWith:
      guard isPlain else { break }
      let start = constants.count
      constants += text.utf8
      return append(
        target.instruction(
          test.comparison == .beginsWith ? .textPrefix : .textEqual, Int64(start),
          Int64(constants.count - start), isNegated: test.comparison == .notEqual))
    default: break
    }
    tests.append(textTest)
    return append(target.instruction(.text, Int64(tests.count - 1), 0))
  }

  /// Compiles a test for any of a few values, as a chain of comparisons.
  private mutating func compile(_ values: [PropertyValue], _ target: Target) -> Int32? {
    let before = self
    var next = target.ifNot
    for value in values.reversed() where !value.isNull {
      var part = target
      part.ifNot = next
      let entry: Int32? =
        if case .string(let text) = value, target.field.type == .string {
          compile(
            TextTest(.equal, text, []), ValueTest(comparison: .equal, options: []), text, part)
        } else {
          compile(.equal, value, part)
        }
      guard let entry else {
        self = before
        return nil
      }
      next = entry
    }
    if next != target.ifNot { return next }
    return compileNull(false, target)
  }
}

extension RecordField {
  /// The instruction that compares integers, Booleans or links in such a slot, or nil for other
  /// types.
  var wholeKind: ConditionProgram.Instruction.Kind? {
    switch type {
    case .int where slot.size == RecordSlot.compactIntSize: .compactInt
    case .bool: .bool
    case .int8: .int8
    case .int16: .int16
    case .int32: .int32
    case .int, .link: .int
    case .uint8: .uint8
    case .uint16: .uint16
    case .uint32: .uint32
    default: nil
    }
  }
}

extension PropertyType {
  /// The instruction that compares floating-point numbers or dates of this type, or nil for other
  /// types.
  var floatingKind: ConditionProgram.Instruction.Kind? {
    switch self {
    case .float: .float
    case .double, .date: .double
    default: nil
    }
  }
}

extension Conversion {
  /// Whether a converted value compares like the stored one.
  fileprivate var keepsValues: Bool {
    switch self {
    case .identity, .widenedOnRead: true
    case .convertedByRewrite: false
    }
  }
}
