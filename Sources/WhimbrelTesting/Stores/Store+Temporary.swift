public import Whimbrel

extension Store {
  /// Makes a new, empty store in a temporary folder.
  ///
  /// ```swift
  /// let store = try Store.temporary(Zone.self, Country.self)
  /// ```
  ///
  /// The file is removed with the store. To open another store on the same file, use its
  /// ``Store/configuration``.
  ///
  /// - Parameter models: The models of the store.
  /// - Throws: `StoreError` if the models do not fit together.
  public static func temporary(_ models: any Model.Type...) throws -> Store {
    try temporary(models)
  }

  /// Makes a new, empty store in a temporary folder, with an array of models.
  ///
  /// ```swift
  /// let store = try Store.temporary(SchemaV2.models, schemaVersion: 2)
  /// ```
  ///
  /// Everything else is as in ``temporary(_:)-(Model.Type...)``.
  ///
  /// - Parameters:
  ///   - models: The models of the store.
  ///   - schemaVersion: The version of the schema. The default is 0.
  /// - Throws: `StoreError` if the models do not fit together.
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
