extension StoreError {
  /// The facts of an error; those that do not apply are nil or empty.
  public struct Context: Hashable, Sendable {
    /// The path of the store.
    public var path: String?
    /// The name of the class.
    public var className: String?
    /// The name of the property.
    public var propertyName: String?
    /// The object.
    public var objectID: ObjectID?
    /// The objects, or the first of them, when there are several.
    public var objectIDs: [ObjectID] = []
    /// The primary key of the object, as text.
    public var primaryKey: String?
    /// How many objects, values or bytes there are in all.
    public var count: Int?
    /// How many are allowed, or were expected.
    public var limit: Int?
    /// The version in the file: the one that a migration starts from.
    public var storedVersion: SchemaVersion?
    /// The version that the app declares: the one that a migration leads to.
    public var declaredVersion: SchemaVersion?
    /// The differences between the two schemas.
    public var changes: [SchemaChange] = []
    /// The problems, one sentence each.
    public var problems: [String] = []
    /// The process that migrates the store.
    public var processID: Int32?
    /// The value, as text that is cut when it is long, if the configuration asks for it.
    public var value: String?
    /// Where the value is among those that an object was to be made of, as
    /// `zones[3].country.code`, when it is not simply the property.
    public var valuePath: String?
    /// How far the migration came that failed, or nil when none had begun.
    public var migrationReach: MigrationReach?
    /// The number that the operating system gave to its error.
    public var systemErrorNumber: Int32?

    /// Makes a context without any fact.
    init() {}

    /// Makes a context that knows the names.
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

    /// The same facts with one more.
    func with<Value>(_ field: WritableKeyPath<Context, Value>, _ value: Value) -> Context {
      var copy = self
      copy[keyPath: field] = value
      return copy
    }
  }
}
