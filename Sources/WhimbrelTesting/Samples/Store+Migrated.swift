internal import Whimbrel
internal import WhimbrelEngine

extension Store {
  /// Opens a store and leaves the objects that an online migration converts as they are, until
  /// ``finishTransition()``.
  static func opened(_ configuration: Configuration) throws -> Store {
    var configuration = configuration
    configuration.onlineMigration?.startsPaused = true
    return try Store(configuration)
  }

  /// Opens a store whose objects are all converted.
  @discardableResult
  static func migrated(_ configuration: Configuration) throws -> Store {
    let store = try opened(configuration)
    try store.finishTransition()
    return store
  }
}
