/// Objects can be encoded and decoded by what Swift has for that: a model needs no more
/// than the conformance.
///
/// ```swift
/// extension Zone: Codable {}
///
/// let json = try JSONEncoder().encode(store.object(ofType: Zone.self, forPrimaryKey: "UTC"))
/// let copy = try JSONDecoder().decode(Zone.self, from: json)
/// ```
///
/// Keys are the names of the properties. Values are encoded as their own types are; an
/// enum as its raw value; a list or a set as an array; a map as a dictionary; a link as
/// the object that it leads to, whose class has to be `Codable` too. A property that is
/// nil is left out. Inverses and transient properties are left out.
///
/// Objects of a store can be encoded, and unmanaged ones. Decoding gives an unmanaged
/// object. A key that is missing leaves the default value, nil or an empty collection; it
/// is an error for a property that has none of these.
///
/// Objects that link to each other in a circle cannot be encoded so: it ends with a
/// ``StoreError`` with `codingCycle`, as soon as links lead 100 objects deep.
extension Model where Self: Encodable {
  /// Encodes the properties by their names.
  ///
  /// - Throws: ``StoreError`` with `codingCycle`, `objectDeleted`, `storeClosed`, or
  ///   `missingValue` for a property that was never set; what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    let schema = Self._$schema
    var container = encoder.container(keyedBy: PropertyKey.self)
    if !isManaged { try requireComplete() }
    for (index, value) in try propertyValues() {
      guard let value = flattened(value) else { continue }
      let name = schema.properties[index].name
      try CodingPath.entering("\(schema.name).\(name)", in: schema.name) {
        try container.encode(EncodedValue(value), forKey: PropertyKey(name))
      }
    }
  }
}

extension Model where Self: Decodable {
  /// Makes an unmanaged object of the properties by their names.
  ///
  /// - Throws: `DecodingError`; what the decoder throws.
  public init(from decoder: any Decoder) throws {
    self.init(_$row: ModelRow())
    let schema = Self._$schema
    let container = try decoder.container(keyedBy: PropertyKey.self)
    for (property, declared) in zip(schema.properties, schema.classSchema.properties) {
      let key = PropertyKey(property.name)
      guard container.contains(key) else {
        guard declared.hasInitialValue else {
          throw DecodingError.keyNotFound(
            key,
            .init(
              codingPath: decoder.codingPath,
              debugDescription: "'\(schema.name)' needs a value for '\(property.name)'."))
        }
        continue
      }
      let value = try property.valueType.decoded(from: container, key)
      let conversion = ValueConversion(class: schema.name, property: property)
      do {
        try set(property, value, conversion)
      } catch let error as StoreError {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: error.description)
      }
    }
  }
}
