internal import WhimbrelEngine

extension Model {
  /// Returns the value of a property by its name.
  ///
  /// ```swift
  /// let area = try zone.value(forKey: "area") as? Area
  /// ```
  ///
  /// - Returns: The value as the property has it: an enum, an object, a `StoredList` and so on; nil
  ///   for an optional property without a value.
  /// - Throws: ``StoreError`` with `unknownProperty`, `objectDeleted` or `storeClosed`, and with
  ///   `missingValue` for a property of an unmanaged object that was never set.
  public func value(forKey key: String) throws -> Any? {
    try propertyValue(of: Self._$schema.requiredProperty(key))
  }

  /// Sets a property by its name. The value has the type of the property, or can be converted to
  /// it.
  ///
  /// ```swift
  /// try zone.setValue("asia", forKey: "area")
  /// try zone.setValue(["code": "JP", "name": "Japan"], forKey: "country")
  /// try zone.setValue(["west", "north"], forKey: "tags")
  /// ```
  ///
  /// ``ValueConversion`` lists the values that are accepted. A dictionary or an array makes a new
  /// object. An object is linked to, and is added if it is unmanaged.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`, `wrongType`, `outOfRange`, `missingValue`,
  ///   `duplicatePrimaryKey`, `nestedTooDeep`, `objectOfOtherStore`, `primaryKeyIsFixed`,
  ///   `notInWrite`, `objectDeleted` or `storeClosed`. The property is then unchanged.
  public func setValue(_ value: Any?, forKey key: String) throws {
    let schema = Self._$schema
    let property = try schema.requiredProperty(key)
    let session = _$row.session
    if let session {
      try requireUsable()
      _ = try session.requireWriting("change '\(schema.name)'")
      if schema.classSchema.primaryKey?.name == key {
        throw StoreError.primaryKeyIsFixed(class: schema.name, property: key)
      }
    }
    let creation = ObjectCreation(for: session, copiesOthers: false)
    let conversion = ValueConversion(class: schema.name, property: property, in: creation)
    let converted = try creation.at(.key(key)) {
      try property.valueType._$converted(value, conversion)
    }
    try creation.finish()
    guard let session else { return try property.setValue(self, converted, conversion) }
    try creation.apply()
    try session.throwingDeferred { try property.setValue(self, converted, conversion) }
  }

  // The initializer that `@Model` makes has a label for each parameter. The ones below have no
  // labels, so a call is never ambiguous.

  /// Makes an unmanaged object from values by property name.
  ///
  /// ```swift
  /// let zone = try Zone(["identifier": "Asia/Tokyo", "country": ["code": "JP"]])
  /// ```
  ///
  /// A property without a value gets its default. ``ValueConversion`` lists the values that are
  /// accepted.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`, `wrongType`, `outOfRange` or
  ///   `missingValue`.
  public init(_ values: [String: Any?]) throws { try self.init(made: values) }

  /// Makes an unmanaged object from values in the order of the properties.
  ///
  /// ```swift
  /// let country = try Country(["JP", "Japan"])
  /// ```
  ///
  /// The last properties may be omitted and get their defaults. ``ValueConversion`` lists the
  /// values that are accepted.
  ///
  /// - Throws: ``StoreError`` with `wrongType`, `outOfRange` or `missingValue`, and with
  ///   `unknownProperty` if there are more values than properties.
  public init(_ values: [Any?]) throws { try self.init(made: values) }

  /// Makes an unmanaged object as a copy of another object.
  ///
  /// Values and embedded objects are copied. Links of the copy lead to the same objects.
  ///
  /// - Throws: ``StoreError`` with `missingValue`, `objectDeleted` or `storeClosed`.
  public init(_ other: Self) throws { try self.init(made: other) }

  /// Makes an object from any value that ``ValueConversion`` accepts.
  private init(made value: Any) throws {
    let creation = ObjectCreation()
    let made = try creation.root(Self.self, value)
    try creation.finish()
    self.init(_$row: ModelRow())
    try take(made)
  }

  /// Takes the values of an object that nothing else references.
  private func take(_ other: Self) throws {
    let schema = Self._$schema
    for (index, value) in try other.propertyValues() {
      let property = schema.properties[index]
      try property.setValue(
        self, value, ValueConversion(class: schema.name, property: property))
    }
  }
}

extension ObjectCreation {
  /// Makes the object that a value describes. Copies the value if it is an object.
  func root<Target: Model>(_ type: Target.Type, _ value: Any) throws -> Target {
    let value = flattened(value)
    if let value, isClass(value), let object = value as? Target {
      try object.requireUsable()
      return copy(of: object)
    }
    if let value, let object = try object(type, value) { return object }
    throw StoreError.notAnObject(
      class: type._$schema.name, got: value.map(ValueConversion.typeName) ?? "nil")
  }
}
