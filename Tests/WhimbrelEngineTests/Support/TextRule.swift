import WhimbrelEngine

/// A rule that computes the first property which it declares from the property `text`.
final class TextRule: RuleBody {
  private let sides: RuleSides
  private let compute: @Sendable (String) -> PropertyValue

  init(_ sides: RuleSides, _ compute: @escaping @Sendable (String) -> PropertyValue) {
    self.sides = sides
    self.compute = compute
  }

  func run(_ id: ObjectID) {
    do {
      let position = try sides.oldTable.resolved.requiredPosition(of: "text")
      guard let record = try sides.oldTable.record(id),
        case .string(let text) = try sides.oldTable.value(position, of: record, id)
      else { return }
      try sides.newTable.set(id, at: 0) { try $0.set(0, compute(text)) }
    } catch {
      sides.new.note(error)
    }
  }
}
