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
    _ = try store.convertAll()
    return store
  }

  /// Converts all objects.
  ///
  /// - Returns: The problem of values that a rule has dropped, or nil. In a migration block, this
  ///   is an error.
  /// - Throws: `StoreError`, and ``UnconvertedObjects`` if a rule cannot convert objects.
  func convertAll() throws -> String? {
    let state: TransitionState?
    do {
      state = try finishTransition()
    } catch let error as StoreError where StoreError.Code.ruleFailed ~= error {
      throw UnconvertedObjects(error: error, reason: reason(of: error))
    }
    for object in state?.unset ?? [] {
      let required = object.properties.filter { !isOptional($0, in: object.className) }
      if required.isEmpty { continue }
      let names = required.map { "'\($0)'" }.joined(separator: ", ")
      let place = object.primaryKey.map { "with primary key \($0)" } ?? "\(object.objectID)"
      return "a rule left \(names) unset for the object \(place) of '\(object.className)', which "
        + "got the default instead of its old value. Set it in the rule, even to the default."
    }
    return nil
  }

  private func isOptional(_ property: String, in className: String) -> Bool {
    session.find(className)?.resolved.properties.first { $0.name == property }?.isOptional ?? false
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
