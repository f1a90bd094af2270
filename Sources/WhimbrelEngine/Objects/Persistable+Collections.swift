// Arrays and dictionaries represent the collections of dynamic objects. Properties of models have
// their own collection types.

extension Array: Persistable where Element: Persistable {
  /// The type of a list of the elements.
  public static var propertyType: PropertyType {
    .list(of: ElementType(Element.propertyType, isOptional: Element.isOptionalProperty))
  }

  /// Reads the elements of a list in their order, or those of a set in the order of the store.
  /// Returns nil if an element has another type.
  ///
  /// ```swift
  /// let tags = try object["tags", as: [String].self]
  /// ```
  public init?(propertyValue: PropertyValue) {
    guard case .list(let values) = propertyValue else { return nil }
    self.init()
    reserveCapacity(values.count)
    for value in values {
      guard let element = Element(propertyValue: value) else { return nil }
      append(element)
    }
  }

  /// The elements to store.
  public var propertyValue: PropertyValue { .list(map(\.propertyValue)) }
}

extension Dictionary: Persistable where Key == String, Value: Persistable {
  /// The type of a map of the values.
  public static var propertyType: PropertyType {
    .map(of: ElementType(Value.propertyType, isOptional: Value.isOptionalProperty))
  }

  /// Reads the elements of a map. Returns nil if an element has another type.
  ///
  /// ```swift
  /// let offsets = try object["offsets", as: [String: Int].self]
  /// ```
  public init?(propertyValue: PropertyValue) {
    guard case .map(let values) = propertyValue else { return nil }
    self.init(minimumCapacity: values.count)
    for (name, value) in values {
      guard let element = Value(propertyValue: value) else { return nil }
      self[name] = element
    }
  }

  /// The elements to store.
  public var propertyValue: PropertyValue { .map(mapValues(\.propertyValue)) }
}
