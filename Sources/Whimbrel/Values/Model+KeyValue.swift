internal import WhimbrelEngine

extension Model {
  /// The value of a property by its name.
  ///
  /// ```swift
  /// let area = try zone.value(forKey: "area") as? Area
  /// ```
  ///
  /// - Returns: the value as the property has it: an enum, an object, a `StoredList` …; nil for
  ///   an optional property without a value.
  /// - Throws: ``StoreError`` with `unknownProperty`, `objectDeleted` or `storeClosed`, and
  ///   with `missingValue` for a property of an unmanaged object that was never set.
  public func value(forKey key: String) throws -> Any? {
    try propertyValue(of: Self._$schema.requiredProperty(key))
  }

  /// Sets a property by its name, to a value of its type or of one that it can be made
  /// of.
  ///
  /// ```swift
  /// try zone.setValue("asia", forKey: "area")
  /// try zone.setValue(["code": "JP", "name": "Japan"], forKey: "country")
  /// try zone.setValue(["west", "north"], forKey: "tags")
  /// ```
  ///
  /// What values are taken is said at ``ValueConversion``. What a dictionary or an array
  /// makes is a new object; objects given are linked to, and those that are in no store
  /// are added.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`, `wrongType`, `outOfRange`,
  ///   `missingValue`, `duplicatePrimaryKey`, `nestedTooDeep`, `objectOfOtherStore`,
  ///   `primaryKeyIsFixed`, `notInWrite`, `objectDeleted` or `storeClosed`. The property
  ///   is then as it was.
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
    guard let session else { return try set(property, converted, conversion) }
    try creation.apply()
    try session.throwingDeferred { try set(property, converted, conversion) }
  }

  // The initializer that `@Model` makes has a label for each parameter, and these have none:
  // whatever a property is called and a literal may be, one is never taken for the other.

  /// Makes an object that is in no store, of values by property name.
  ///
  /// ```swift
  /// let zone = try Zone(["identifier": "Asia/Tokyo", "country": ["code": "JP"]])
  /// ```
  ///
  /// Properties without a value get their defaults. What values are taken is said at
  /// ``ValueConversion``.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`, `wrongType`, `outOfRange` or
  ///   `missingValue`.
  public init(_ values: [String: Any?]) throws { try self.init(made: values) }

  /// Makes an object that is in no store, of values in the order of the properties.
  ///
  /// ```swift
  /// let country = try Country(["JP", "Japan"])
  /// ```
  ///
  /// The last properties may be left out and get their defaults. What values are taken is
  /// said at ``ValueConversion``.
  ///
  /// - Throws: ``StoreError`` with `wrongType`, `outOfRange` or `missingValue`.
  public init(_ values: [Any?]) throws { try self.init(made: values) }

  /// Makes an object that is in no store, as a copy of another.
  ///
  /// The values are copied, and the embedded objects; the copy links to what the other
  /// object links to.
  ///
  /// - Throws: ``StoreError`` with `missingValue`, `objectDeleted` or `storeClosed`.
  public init(_ other: Self) throws { try self.init(made: other) }

  /// Makes an object of what ``ValueConversion`` takes.
  private init(made value: Any) throws {
    let creation = ObjectCreation()
    let made = try creation.root(Self.self, value)
    try creation.finish()
    self.init(_$row: ModelRow())
    try take(made)
  }

  /// Takes over the values of an object that nobody else has.
  private func take(_ other: Self) throws {
    let schema = Self._$schema
    for (index, value) in try other.propertyValues() {
      let property = schema.properties[index]
      try set(
        property, value, ValueConversion(class: schema.name, property: property))
    }
  }
}

extension ObjectCreation {
  /// The object that a value makes; another object is copied.
  func root<Target: Model>(_ type: Target.Type, _ value: Any) throws -> Target {
    let value = flattened(value)
    if let object = value as? Target {
      try object.requireUsable()
      return copy(of: object)
    }
    if let value, let object = try object(type, value) { return object }
    throw StoreError.notAnObject(
      class: type._$schema.name, got: value.map(ValueConversion.typeName) ?? "nil")
  }
}
