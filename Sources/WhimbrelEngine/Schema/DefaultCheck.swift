/// A check of the default value of a property.
struct DefaultCheck {
  private let property: PropertySchema
  private var type: String { Sentence.quoted(property.type.description) }

  init(_ property: PropertySchema) {
    self.property = property
  }

  /// Returns the problem of a value, as the end of a sentence about it, or nil.
  func problem(of value: PropertyValue) -> String? {
    switch (property.type, value) {
    case (.any, _):
      return problem(ofAny: value)
    case (_, .null):
      return property.isOptional ? nil : "is nil, but the property is required"
    case (.list(let element), .list(let values)), (.set(let element), .list(let values)):
      return values.lazy.compactMap { problem(ofElement: $0, element) }.first
    case (.map(let element), .map(let values)):
      let limit = ElementCoding.nameLimit
      if !values.keys.allSatisfy({ (1...limit).contains($0.utf8.count) }) {
        return "has a key that is empty or takes more than \(limit) bytes"
      }
      return values.sortedByName.lazy.compactMap { problem(ofElement: $0.value, element) }.first
    default:
      if value.fits(property.type) { return nil }
      return value.isIntegerBeyond(property.type)
        ? "does not fit into \(type)"
        : "is of type '\(value.kind)', but the property is of type \(type)"
    }
  }

  private func problem(ofElement value: PropertyValue, _ element: ElementType) -> String? {
    if element.type == .any { return problem(ofAny: value) }
    if value.isNull { return element.isOptional ? nil : "has an element that is nil" }
    if value.fits(element.type) { return nil }
    return value.isIntegerBeyond(element.type)
      ? "has an element that does not fit into '\(element.type)'"
      : "has an element of type '\(value.kind)', but the property is of type \(type)"
  }

  private func problem(ofAny value: PropertyValue) -> String? {
    if !value.linkTargets.isEmpty { return "leads to an object" }
    return switch AnyCoding.problem(of: value) {
    case nil: nil
    case .link: "leads to an object"
    case .tooDeep: "has lists or maps nested more than \(AnyCoding.depthLimit) levels deep"
    case .tooLarge(let size):
      "takes \(size) bytes and at most \(RecordEncoder.maximumValueSize) are allowed"
    }
  }
}

extension PropertyValue {
  /// Returns whether this is a value of a type without elements.
  fileprivate func fits(_ type: PropertyType) -> Bool {
    if case .int(let number) = self, let bounds = type.integerBounds {
      return bounds.contains(number)
    }
    return kind == type.description
  }

  fileprivate func isIntegerBeyond(_ type: PropertyType) -> Bool {
    if case .int = self { type.isInteger } else { false }
  }
}
