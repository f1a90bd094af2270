internal import WhimbrelEngine

extension ModelProperty {
  /// Returns whether an object already has a value. Returns false if that cannot be decided.
  func isSame(_ value: any ModelValue, in object: any Model) -> Bool {
    guard let current = self.value(object) as? any ModelValue else { return false }
    let type = type(of: value).propertyType
    // Unmanaged objects have no stored value to compare.
    if type == .any || type.linkedClass != nil && !value.propertyValue.isWhole { return false }
    if type.elementType?.type == .any { return false }
    return current.propertyValue.isIdentical(to: value.propertyValue)
      && !(value.propertyValue.isNull && flattened(value) != nil)
  }
}

extension PropertyValue {
  /// Whether all elements of a collection of links are managed objects.
  fileprivate var isWhole: Bool {
    switch self {
    case .list(let values): !values.contains(.null)
    case .map(let values): !values.values.contains(.null)
    default: true
    }
  }
}
