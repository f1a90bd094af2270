extension StoreError {
  /// The facts of an error. Facts that do not apply are nil or empty.
  public struct Context: Hashable, Sendable {
    /// The path of the store.
    public var path: String?
    /// The name of the class.
    public var className: String?
    /// The name of the property.
    public var propertyName: String?
    /// The ID of the object.
    public var objectID: ObjectID?
    /// The IDs of the objects, or of the first of them, when there are several.
    public var objectIDs: [ObjectID] = []
    /// The primary key of the object, as text.
    public var primaryKey: String?
    /// The number of objects, values or bytes concerned.
    public var count: Int?
    /// The limit, or the expected number.
    public var limit: Int?
    /// The schema version of the file, from which a migration starts.
    public var storedVersion: SchemaVersion?
    /// The schema version that the app declares, to which a migration leads.
    public var declaredVersion: SchemaVersion?
    /// The differences between the two schemas.
    public var changes: [SchemaChange] = []
    /// The problems, one sentence each.
    public var problems: [String] = []
    /// The ID of the process that migrates, writes or uses the store.
    public var processID: Int32?
    /// The number of the thread that writes the store, as the system numbers it.
    public var threadID: Int32?
    /// The value as text, truncated if long, if the configuration asks for values in errors.
    public var value: String?
    /// The path of the value in the values given for an object, for example
    /// `zones[3].country.code`, or nil if it is simply the property. If the object of the error is
    /// the target of a link, the class and the property that link to it: `Zone.country`.
    public var valuePath: String?
    /// The progress of the failed migration, or nil if none had begun.
    public var migrationReach: MigrationReach?
    /// The error number of the operating system.
    public var systemErrorNumber: Int32?

    init() {}

    init(
      path: String? = nil, class className: String? = nil, property: String? = nil,
      objectID: ObjectID? = nil, primaryKey: PropertyValue? = nil,
      stored: SchemaVersion? = nil, declared: SchemaVersion? = nil, count: Int? = nil,
      limit: Int? = nil
    ) {
      self.path = path
      self.className = className
      self.propertyName = property
      self.objectID = objectID
      self.primaryKey = primaryKey.flatMap { $0.isNull ? nil : Sentence.plainKey($0) }
      self.storedVersion = stored
      self.declaredVersion = declared
      self.count = count
      self.limit = limit
    }

    /// Returns the context with one more fact.
    func with<Value>(_ field: WritableKeyPath<Context, Value>, _ value: Value) -> Context {
      var copy = self
      copy[keyPath: field] = value
      return copy
    }
  }
}
