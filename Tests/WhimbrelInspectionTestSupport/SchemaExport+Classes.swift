package import WhimbrelEngine
package import WhimbrelInspection

extension SchemaExport {
  /// The classes, as stores are made of them.
  package var schemas: [ClassSchema] {
    classes.map { entry in
      ClassSchema(
        name: entry.name, isEmbedded: entry.isEmbedded, properties: entry.properties,
        indexes: entry.indexes)
    }
  }
}
