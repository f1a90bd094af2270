internal import Foundation

/// Comparisons of values whose slots have more than 64 bits.
extension ConditionCompiler {
  /// Compiles a comparison of a UUID, an `ObjectId` or a decimal with a constant. Returns nil if it
  /// cannot be expressed with instructions.
  mutating func compileOrder(
    _ comparison: QueryComparison, _ value: PropertyValue, _ target: Target
  ) -> Int32? {
    guard let orders = ValueOrders(comparison) else { return nil }
    let start = constants.count
    switch (target.field.type, value) {
    case (.uuid, .uuid(let uuid)):
      uuid.append(to: &constants)
      return append(target.instruction(.bytes, orders, start, constants.count - start))
    case (.objectId, .objectId(let id)):
      id.append(to: &constants)
      return append(target.instruction(.bytes, orders, start, constants.count - start))
    case (.decimal, _):
      guard let number = value.orderedDecimal else { return nil }
      number.append(to: &constants)
      let test = ValueTest(comparison: comparison, options: [])
      leaves.append(BoundLeaf(target.expression, test, value))
      return append(target.instruction(.decimal, orders, start, leaves.count - 1))
    default:
      return nil
    }
  }

  /// Compiles a test for values between two constants, as two comparisons.
  mutating func compileOrders(
    _ lower: PropertyValue, _ upper: PropertyValue, _ last: QueryComparison, _ target: Target
  ) -> Int32? {
    let before = self
    if let next = compileOrder(last, upper, target) {
      var first = target
      first.ifMet = next
      if let entry = compileOrder(.greaterOrEqual, lower, first) { return entry }
    }
    self = before
    return nil
  }
}
