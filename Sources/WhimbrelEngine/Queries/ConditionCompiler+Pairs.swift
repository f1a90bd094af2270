/// Comparisons of two properties of the same object.
extension ConditionCompiler {
  /// Returns whether a leaf compares two properties of which each is in a slot or constant for the
  /// layout.
  func isPair(_ leaf: BoundLeaf) -> Bool {
    guard case .compare(let test, let right) = leaf.kind, test.options.isEmpty,
      test.comparison.exchanged != nil
    else { return false }
    return place(of: leaf.left) != .general && place(of: right) != .general
  }

  /// Compiles a comparison of two properties. Returns nil if it cannot be expressed with
  /// instructions.
  mutating func compilePair(_ leaf: BoundLeaf, _ ifMet: Int32, _ ifNot: Int32) -> Int32? {
    guard case .compare(let test, let right) = leaf.kind, test.options.isEmpty,
      let exchanged = test.comparison.exchanged
    else { return nil }
    let exchangedTest = ValueTest(comparison: exchanged, options: [])
    switch (place(of: leaf.left), place(of: right)) {
    case (.constant(let value), .constant(let other)):
      return test.holds(value, other) ? ifMet : ifNot
    case (.slot, .constant(let other)):
      return compile(BoundLeaf(leaf.left, test, other), ifMet, ifNot)
    case (.constant(let value), .slot):
      return compile(BoundLeaf(right, exchangedTest, value), ifMet, ifNot)
    case (.slot(let first, ifNil: let value), .slot(let second, ifNil: let other)):
      guard
        let pair = SlotPair(first, test.comparison, second, leaf: Int32(leaves.count))
      else { return nil }
      leaves.append(leaf)
      // If one side is nil, the other is compared with the substitute for nil.
      let ifFirstNil =
        first.presence == nil
        ? ifNot : compile(BoundLeaf(right, exchangedTest, value), ifMet, ifNot)
      let both = append(
        pair,
        Target(
          expression: leaf.left, field: first, ifNil: ifFirstNil, ifMet: ifMet, ifNot: ifNot))
      guard second.presence != nil else { return both }
      let ifSecondNil = compile(BoundLeaf(leaf.left, test, other), ifMet, ifNot)
      return append(
        Target(
          expression: right, field: second, ifNil: ifSecondNil, ifMet: both, ifNot: ifNot
        ).instruction(.present, 0, 0))
    default:
      return nil
    }
  }

  private mutating func append(_ pair: SlotPair, _ target: Target) -> Int32 {
    pairs.append(pair)
    return append(target.instruction(.pair, Int64(pairs.count - 1), 0))
  }
}
