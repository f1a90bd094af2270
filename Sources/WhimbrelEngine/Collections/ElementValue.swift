/// A value that is compared as an element of a set: all NaNs are one value.
package struct ElementValue: Hashable, Sendable {
  private let value: PropertyValue

  package init(_ value: PropertyValue) { self.value = value }

  package static func == (left: ElementValue, right: ElementValue) -> Bool {
    left.value == right.value || left.value.isSameElement(as: right.value)
  }

  package func hash(into hasher: inout Hasher) {
    switch value {
    case .link(let id): hasher.combine(id)
    case .object(let reference): hasher.combine(reference)
    case .list(let values): hasher.combine(values.map(ElementValue.init))
    case .map(let values): hasher.combine(values.mapValues(ElementValue.init))
    default: value.hashScalar(into: &hasher)
    }
  }
}
