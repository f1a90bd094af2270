internal import Foundation

/// The declaration of an app: its schema, and the functions that generate default values.
package struct Declaration: Sendable {
  package let schema: StoreSchema
  package let fingerprint: Fingerprint
  /// The functions that generate default values, by class and property.
  package let generators: [String: [String: @Sendable () -> PropertyValue]]
  /// The Swift types of the classes. The engine only passes them on.
  package let modelTypes: (any AnyObject & Sendable)?
  /// The rules that convert objects of earlier schema versions one by one.
  package var rules = RuleBook([])
  /// The schema version of the app, or nil to use a file of any version.
  package var schemaVersion: SchemaVersion?

  package init(
    _ schema: StoreSchema, generators: [String: [String: @Sendable () -> PropertyValue]] = [:],
    fingerprint: Fingerprint? = nil, modelTypes: (any AnyObject & Sendable)? = nil
  ) {
    self.modelTypes = modelTypes
    self.schema = schema
    self.generators = generators
    self.fingerprint = fingerprint ?? schema.fingerprint
  }
}

extension StoreSchema {
  /// The identification of the schema. Previous names of properties do not change it.
  package var fingerprint: Fingerprint {
    Fingerprint(of: classes.map(\.fingerprintText).joined(separator: "\n"))
  }
}

extension ClassSchema {
  /// The stored description of the class, as text.
  package var fingerprintText: String {
    let current = ClassSchema(
      name: name, isEmbedded: isEmbedded,
      properties: properties.map { property in
        var property = property
        property.previousNames = []
        return property
      }, indexes: indexes)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding these plain values does not fail. If it did, the text would match no store, and the
    // schemas would be compared.
    return (try? encoder.encode(current)).map { String(decoding: $0, as: UTF8.self) }
      ?? "\(name) \(UUID())"
  }
}
