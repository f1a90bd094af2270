internal import Whimbrel
internal import WhimbrelEngine

extension Store {
  /// Opens a store and leaves the objects that an online migration converts as they are, until
  /// ``convertAll()``.
  static func opened(_ configuration: Configuration) throws -> Store {
    var configuration = configuration
    configuration.onlineMigration?.startsPaused = true
    return try Store(configuration)
  }

  /// Opens a store whose objects are all converted.
  @discardableResult
  static func migrated(_ configuration: Configuration) throws -> Store {
    let store = try opened(configuration)
    try store.convertAll()
    return store
  }

  /// Converts all objects.
  ///
  /// - Throws: `StoreError`, and ``UnconvertedObjects`` if a rule cannot convert objects.
  func convertAll() throws {
    do {
      try finishTransition()
    } catch let error as StoreError where StoreError.Code.ruleFailed ~= error {
      throw UnconvertedObjects(error: error, reason: reason(of: error))
    }
  }

  /// Returns the error of reading the first object that could not be converted, or nil.
  private func reason(of error: StoreError) -> (any Error)? {
    guard let className = error.context.className, let id = error.context.objectIDs.first else {
      return nil
    }
    do {
      try refresh()
      let table = try session.table(className)
      guard let record = try table.record(id) else { return nil }
      for position in table.resolved.properties.indices {
        _ = try table.value(position, of: record, id)
      }
      return nil
    } catch {
      return error
    }
  }
}

/// An error about objects that rules cannot convert, with the reason for one of them.
struct UnconvertedObjects: Error, CustomStringConvertible {
  let error: StoreError
  let reason: (any Error)?

  var description: String { "\(error)" + (reason.map { " One of them: \($0)" } ?? "") }
}
