public import Whimbrel

extension Store {
  /// A new, empty store in a temporary folder, for a test that needs one.
  ///
  /// ```swift
  /// let store = try Store.temporary(Zone.self, Country.self)
  /// ```
  ///
  /// The file goes away with the store. Other stores of the same file are opened with its
  /// ``Store/configuration``.
  ///
  /// - Parameter models: the models that the store keeps.
  /// - Throws: `StoreError` when the models do not go together.
  public static func temporary(_ models: any Model.Type...) throws -> Store {
    try temporary(models)
  }

  /// A new, empty store in a temporary folder, of models in an array.
  ///
  /// ```swift
  /// let store = try Store.temporary(SchemaV2.models, schemaVersion: 2)
  /// ```
  ///
  /// All else is as with ``temporary(_:)-(Model.Type...)``.
  ///
  /// - Parameters:
  ///   - models: the models that the store keeps.
  ///   - schemaVersion: the number of the schema. The default is 0.
  /// - Throws: `StoreError` when the models do not go together.
  public static func temporary(
    _ models: [any Model.Type], schemaVersion: SchemaVersion = 0
  ) throws -> Store {
    let file = try TemporaryStoreFile(named: "Temporary.whimbrel")
    let store = try Store(
      Configuration(url: file.url, models: models, schemaVersion: schemaVersion))
    store.belongings = file
    return store
  }
}
