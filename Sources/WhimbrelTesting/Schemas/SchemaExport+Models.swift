public import Whimbrel
internal import WhimbrelEngine
public import WhimbrelInspection

extension SchemaExport {
  /// Makes the schema that a configuration's models declare. It equals what
  /// `whimbrel schema --json` writes for a store of these models, without earlier names of
  /// properties.
  ///
  /// ```swift
  /// try SchemaExport(of: .zones(url: url)).json().write(to: file)
  /// ```
  public init(of configuration: Store.Configuration) {
    self.init(
      schemaVersion: configuration.schemaVersion,
      classes: configuration.models.map { model in
        let schema = model._$schema.classSchema
        let properties = schema.properties.map { property in
          var property = property
          property.previousNames = []
          return property
        }
        return ClassExport(
          name: schema.name, isEmbedded: schema.isEmbedded, properties: properties,
          indexes: schema.indexes)
      })
  }
}
