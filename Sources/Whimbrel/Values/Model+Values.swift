internal import WhimbrelEngine

extension ModelSchema {
  func property(_ name: String) -> ModelProperty? { properties.first { $0.name == name } }

  func requiredProperty(_ name: String) throws -> ModelProperty {
    guard let property = property(name) else { throw unknownProperty(name) }
    return property
  }

  func unknownProperty(_ name: String) -> StoreError {
    StoreError.unknownProperty(
      class: self.name, property: name, known: properties.map(\.name))
  }

  /// Returns values in the order of the properties as a dictionary by name.
  func named(_ values: [Any]) throws -> [String: Any] {
    guard values.count <= properties.count else {
      throw StoreError.tooManyValues(
        class: name, count: values.count, limit: properties.count)
    }
    return Dictionary(keepingFirst: zip(properties.map(\.name), values))
  }
}

extension Model {
  /// Throws unless the properties can be read: the object must exist and its store must be open.
  func requireUsable() throws {
    guard let session = _$row.session else { return }
    try session.requireOpen()
    let table = try session.table(Self._$schema.name)
    guard try table.contains(_$row.id) else {
      throw table.resolved.deleted(_$row.id)
    }
  }

  /// Returns the values of the properties with their indexes, in the order of declaration.
  /// Properties of an unmanaged object that were never set are omitted, or are an error.
  func propertyValues(requiringAll isComplete: Bool = false) throws -> [(index: Int, value: Any)] {
    let properties = Self._$schema.properties
    if isManaged {
      try requireUsable()
      return properties.enumerated().compactMap { index, property in
        property.value(self).map { (index, $0) }
      }
    }
    let values = try unmanagedValues()
    return try properties.indices.compactMap { index in
      guard let value = values[index] else {
        guard !isComplete else {
          throw StoreError.missingValue(
            class: Self._$schema.name, property: properties[index].name)
        }
        return nil
      }
      return (index, value)
    }
  }

  /// Returns the values of an unmanaged object by the indexes of their properties.
  func unmanagedValues() throws -> [Int: Any] {
    let collector = ValueCollector()
    var encoder = ObjectEncoder(collector)
    try _$encode(into: &encoder)
    return collector.values
  }

  /// Throws unless all properties of an unmanaged object have values.
  func requireComplete() throws { _ = try propertyValues(requiringAll: true) }

  func propertyValue(of property: ModelProperty) throws -> Any? {
    if isManaged {
      try requireUsable()
      return property.value(self).flatMap(flattened)
    }
    let index = Self._$schema.properties.firstIndex { $0.name == property.name } ?? 0
    guard let value = try unmanagedValues()[index] else {
      throw StoreError.missingValue(class: Self._$schema.name, property: property.name)
    }
    return flattened(value)
  }
}
