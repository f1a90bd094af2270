package import WhimbrelEngine
package import WhimbrelInspection

extension SchemaExport {
  /// The classes in the form that stores are made with.
  package var schemas: [ClassSchema] {
    classes.map { entry in
      ClassSchema(
        name: entry.name, isEmbedded: entry.isEmbedded, properties: entry.properties,
        indexes: entry.indexes)
    }
  }
}
