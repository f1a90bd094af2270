/// Models work with `Encoder` and `Decoder`. A model only needs to declare the conformance.
///
/// ```swift
/// extension Zone: Codable {}
///
/// let json = try JSONEncoder().encode(store.object(ofType: Zone.self, forPrimaryKey: "UTC"))
/// let copy = try JSONDecoder().decode(Zone.self, from: json)
/// ```
///
/// The keys are the names of the properties in the store, which `@StoredName` gives, or those of an
/// enum `CodingKeys` in the class. It must be in the class itself, not in an extension. Its cases have
/// the names in the code. A property without a case in it is omitted.
///
/// A value is encoded as its own type does, an enum as its raw value, a list or a set as an array,
/// and a map as a dictionary. A link is encoded as the object that it leads to, whose class must be
/// `Codable` too. Properties that are nil, inverses and transient properties are omitted.
///
/// Managed and unmanaged objects can be encoded. Decoding makes an unmanaged object. If a key is
/// missing, the property keeps its default value, nil or an empty collection. If the property has
/// none of these, decoding throws.
///
/// Objects that link to each other in a cycle cannot be encoded. Encoding throws a ``StoreError``
/// with `codingCycle` when links lead more than 100 objects deep. Objects that are nested more than
/// 100 levels deep cannot be decoded: decoding throws a `DecodingError`.
extension Model where Self: Encodable {
  /// Encodes the properties by their names.
  ///
  /// - Throws: ``StoreError`` with `codingCycle`, `objectDeleted`, `storeClosed`, or `missingValue`
  ///   for a property that was never set; the errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    let schema = Self._$schema
    var container = encoder.container(keyedBy: PropertyKey.self)
    for (index, value) in try propertyValues(requiringAll: true) {
      guard let value = flattened(value), let key = Self.codingKey(at: index),
        try !container.encodeCommon(value, forKey: key)
      else { continue }
      let name = schema.properties[index].name
      try CodingPath.entering("\(schema.name).\(name)", in: schema.name) {
        try container.encode(EncodedValue(value), forKey: key)
      }
    }
  }
}

extension Model where Self: Decodable {
  /// Makes an unmanaged object from the properties by their names.
  ///
  /// - Throws: `DecodingError`; the errors of the decoder.
  public init(from decoder: any Decoder) throws {
    self.init(_$row: ModelRow())
    let schema = Self._$schema
    let container = try decoder.container(keyedBy: PropertyKey.self)
    for index in schema.properties.indices {
      let key = Self.codingKey(at: index)
      let hasDefault = schema.properties[index].hasDefault
      // A search for the key takes as long as decoding its value.
      if let key, !hasDefault || container.contains(key) {
        do {
          if try decodeCommon(index, from: container, key) { continue }
          if hasDefault || container.contains(key) {
            let value = try schema.properties[index].valueType.decoded(from: container, key)
            try set(index, to: value, from: container, key)
            continue
          }
        } catch {
          if container.contains(key) { throw error }
        }
      }
      try Self.requireInitialValue(index, key, decoder)
    }
  }

  /// Decodes a value of a type that most properties have, and returns whether it has one.
  ///
  /// A function of its own, here and below: its temporary values would take stack at each level of
  /// nested objects.
  @inline(never)
  private func decodeCommon(
    _ index: Int, from container: KeyedDecodingContainer<PropertyKey>, _ key: PropertyKey
  ) throws -> Bool {
    try Self._$schema.properties[index].decodeCommon(self, container, key)
  }

  @inline(never)
  private func set(
    _ index: Int, to value: Any?, from container: KeyedDecodingContainer<PropertyKey>,
    _ key: PropertyKey
  ) throws {
    let property = Self._$schema.properties[index]
    let conversion = ValueConversion(class: Self._$schema.name, property: property)
    do {
      try property.setValue(self, value, conversion)
    } catch let error as StoreError {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container, debugDescription: error.description)
    }
  }

  @inline(never)
  private static func requireInitialValue(
    _ index: Int, _ key: PropertyKey?, _ decoder: any Decoder
  ) throws {
    let property = _$schema.classSchema.properties[index]
    guard property.hasInitialValue else {
      throw DecodingError.keyNotFound(
        key ?? PropertyKey(property.name),
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "'\(_$schema.name)' needs a value for '\(property.name)'."))
    }
  }
}

extension Model {
  /// Returns the key of a property, or nil if the class's `CodingKeys` do not have the property.
  fileprivate static func codingKey(at index: Int) -> PropertyKey? {
    guard let names = _$codingNames else { return PropertyKey(_$schema.properties[index].name) }
    return names[index].map { PropertyKey($0) }
  }
}
