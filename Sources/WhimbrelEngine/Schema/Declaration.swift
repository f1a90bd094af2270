internal import Foundation

/// What an app declares: its classes, and how to make default values that differ
/// each time.
package struct Declaration: Sendable {
  package let schema: StoreSchema
  package let fingerprint: Fingerprint
  /// By class and property.
  package let generators: [String: [String: @Sendable () -> PropertyValue]]
  /// What knows the Swift types of the classes, of which the engine knows nothing.
  package let modelTypes: (any AnyObject & Sendable)?

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
  /// What tells this schema from others; names that properties had before do not
  /// count.
  package var fingerprint: Fingerprint {
    Fingerprint(of: classes.map(\.fingerprintText).joined(separator: "\n"))
  }
}

extension ClassSchema {
  /// Everything that a store keeps of the class, as text.
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
    // Encoding such plain values does not fail; if it did, the text would match
    // no store, and the schemas would be compared.
    return (try? encoder.encode(current)).map { String(decoding: $0, as: UTF8.self) }
      ?? "\(name) \(UUID())"
  }
}
