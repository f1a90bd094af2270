/// The progress of an online migration, which converts the objects of a store while the app runs.
public struct TransitionProgress: Hashable, Sendable {
  /// The activity of a conversion.
  public enum Activity: Hashable, Sendable {
    /// Objects are converted, by this process or another one.
    case converting
    /// The conversion is paused.
    case paused
    /// The disk has less free space than the configuration requires. The conversion goes on when
    /// there is more.
    case waitingForDiskSpace
    /// All objects were visited, and some cannot be converted: see ``failedObjects``. They stay as
    /// they were stored until an app with other rules opens the store, or until they are deleted.
    case blocked
    /// All objects of the classes that the app declares are converted. Objects of other classes
    /// wait until an app declares them again.
    case finished
  }

  /// The current activity.
  public package(set) var activity: Activity
  /// The schema version that the store has.
  public private(set) var version: SchemaVersion
  /// The number of objects that are converted or need no conversion.
  public private(set) var completed: Int
  /// The number of objects when the conversion began.
  public let total: Int
  /// The number of objects that got the default of a property because a rule did not set it. If
  /// another process converts the last objects, those that it saw at the end may be missing.
  public let unsetCount: Int
  /// The first hundred objects that got a default.
  public let unsetObjects: [UnsetObject]
  /// The number of objects that could not be converted because their rule or their data is wrong.
  public private(set) var failedCount: Int
  /// The first hundred objects of each class that could not be converted.
  public private(set) var failedObjects: [FailedObject]
  /// The error of the last attempt, for example of the disk, or nil. The conversion tries again,
  /// unless another process has given the file a schema that this one cannot use.
  public package(set) var problem: String?

  /// An object that cannot be converted.
  public struct FailedObject: Hashable, Sendable {
    /// The class of the object.
    public let className: String
    /// The ID of the object. Reading the object gives the reason.
    public let objectID: ObjectID
    /// The primary key of the object as text, or nil if it has none or cannot be read.
    public let primaryKey: String?
  }

  /// The fraction of the objects that is done, from 0 to 1.
  public var fraction: Double {
    if activity == .finished { return 1 }
    return total == 0 ? 0 : min(Double(completed) / Double(total), 1)
  }

  /// Whether the conversion is over.
  public var isFinished: Bool { activity == .finished }
}

extension TransitionProgress {
  /// - Parameter schema: The schema of the app. Objects of other classes do not count.
  init(
    _ state: TransitionState?, _ activity: Activity, in loaded: LoadedCatalog,
    for schema: StoreSchema
  ) {
    let walks = (state?.walks ?? []).filter { walk in
      loaded[walk.classID].map { schema[$0.name] != nil } ?? true
    }
    self.activity = activity
    version = loaded.header.schemaVersion
    total = walks.reduce(0) { $0 + $1.total }
    completed = activity == .finished ? total : walks.reduce(0) { $0 + min($1.visited, $1.total) }
    unsetCount = state?.unsetCount ?? 0
    unsetObjects = state?.unset ?? []
    failedCount = walks.reduce(0) { $0 + $1.failedCount }
    failedObjects = walks.flatMap { walk in
      let name = loaded[walk.classID]?.name ?? ""
      return walk.failed.map {
        FailedObject(className: name, objectID: $0.id, primaryKey: $0.primaryKey)
      }
    }
  }
}

extension TransitionProgress {
  /// Returns the progress at the end of the conversion, as far as this one tells.
  func finished(atVersion version: SchemaVersion) -> TransitionProgress {
    var end = self
    (end.activity, end.version, end.completed, end.problem) = (.finished, version, total, nil)
    (end.failedCount, end.failedObjects) = (0, [])
    return end
  }
}

extension Session {
  /// The progress of a transition as the session sees it, or nil if all objects are converted. For
  /// this session, it is paused.
  package var transitionProgress: TransitionProgress? {
    guard !isClosed, let schema = declaration?.schema, loaded.catalog.isInTransition(for: schema)
    else { return nil }
    return TransitionProgress(
      try? TransitionState(in: currentView), .paused, in: loaded, for: schema)
  }
}

extension TransitionProgress: CustomStringConvertible {
  /// The activity and the progress: `converting objects: 42 % (420 of 1000)`.
  public var description: String {
    let words =
      switch activity {
      case .converting: "converting objects"
      case .paused: "paused"
      case .waitingForDiskSpace: "waiting for disk space"
      case .blocked: "\(Sentence.count(failedCount, "object")) cannot be converted"
      case .finished: "all objects are converted"
      }
    var text = words
    if activity != .finished, total > 0 {
      text += ": \(Int(fraction * 100)) % (\(completed) of \(total))"
    }
    if unsetCount > 0 { text += ", \(Sentence.count(unsetCount, "object")) got a default" }
    if let problem { text += "; \(problem)" }
    return text
  }
}
