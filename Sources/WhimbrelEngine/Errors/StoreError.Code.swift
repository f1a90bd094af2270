extension StoreError {
  /// The kind of a ``StoreError``.
  ///
  /// Catch one kind by its name: `catch StoreError.Code.fileNotFound { … }`.
  /// Later versions may add codes.
  public struct Code: Hashable, Sendable {
    private let name: String

    /// Creates the code named after the static property that calls this.
    private init(_ name: String = #function) { self.name = name }

    /// Returns whether an error is a ``StoreError`` of this kind.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? StoreError)?.code == code
    }
  }
}

extension StoreError.Code: CustomStringConvertible {
  /// The name of the code.
  public var description: String { name }
}

extension StoreError.Code {
  /// The file does not exist, and a store opened read-only is not created.
  public static var fileNotFound: Self { Self() }
  /// The folder of the file does not exist.
  public static var parentFolderMissing: Self { Self() }
  /// The path leads to a folder.
  public static var isDirectory: Self { Self() }
  /// The file is empty.
  public static var emptyFile: Self { Self() }
  /// The file has another format.
  public static var notAStore: Self { Self() }
  /// The file is shorter than its own header says.
  public static var truncated: Self { Self() }
  /// The content of the file breaks a rule of the format.
  public static var damaged: Self { Self() }
  /// A newer version of Whimbrel wrote the file.
  public static var formatTooNew: Self { Self() }
  /// A newer version of the app has migrated the file.
  public static var schemaVersionTooNew: Self { Self() }
  /// The models have changed, but the schema version has not.
  public static var schemaMismatch: Self { Self() }
  /// The store was opened read-only and needs a migration.
  public static var migrationNeeded: Self { Self() }
  /// The operating system denies access to the file.
  public static var permissionDenied: Self { Self() }
  /// The lock file cannot be created because the folder is not writable.
  public static var readOnlyFolder: Self { Self() }
  /// The lock file beside the store cannot be used.
  public static var lockFileUnusable: Self { Self() }
  /// The lock file of an open store has been deleted or replaced, or another process has another
  /// one, so other processes may write at the same time.
  public static var lockFileReplaced: Self { Self() }
  /// The file of the store has more than one name, by a hard link. Programs that use different
  /// names would not see each other's locks.
  public static var hardLinked: Self { Self() }
  /// A process in another container, with process IDs of its own, has the store open for writing, or
  /// has the same ID as this one.
  public static var otherContainer: Self { Self() }
  /// The disk is full, or has less space than a migration needs.
  public static var noSpace: Self { Self() }
  /// The user's disk quota, or the limit on the size of a file, is reached.
  public static var diskQuotaExceeded: Self { Self() }
  /// The process cannot map as much memory as the size limit of the store.
  public static var addressSpaceExhausted: Self { Self() }
  /// The store has grown to its maximum size.
  public static var mapFull: Self { Self() }
  /// All reader slots of the lock file are in use.
  public static var tooManyReaders: Self { Self() }
  /// The classes, indexes and links of the schema need more tables than a file may have open.
  public static var tooManyTables: Self { Self() }
  /// A snapshot is older than the configuration allows, and keeps the file from reusing pages.
  public static var snapshotTooOld: Self { Self() }
  /// The operating system reported an error.
  public static var ioError: Self { Self() }
  /// The store was opened before this process was forked.
  public static var usedAfterFork: Self { Self() }
  /// The configuration of a store contradicts itself.
  public static var invalidConfiguration: Self { Self() }
  /// The models break the rules of schemas.
  public static var invalidSchema: Self { Self() }
  /// This process already has the store open with other settings.
  public static var openWithOtherSettings: Self { Self() }
  /// The store has been closed.
  public static var storeClosed: Self { Self() }
  /// Another process or thread has migrated the store since it was opened.
  public static var schemaChangedElsewhere: Self { Self() }
  /// The store was opened read-only.
  public static var readOnlyStore: Self { Self() }
}

extension StoreError.Code {
  /// Another object already has this primary key.
  public static var duplicatePrimaryKey: Self { Self() }
  /// Another object already has these values of a unique index.
  public static var duplicateValues: Self { Self() }
  /// A required property has neither a value nor a default.
  public static var missingValue: Self { Self() }
  /// A value has another type than its property.
  public static var wrongType: Self { Self() }
  /// A number is outside its property's range.
  public static var outOfRange: Self { Self() }
  /// The primary key of a stored object cannot be changed.
  public static var primaryKeyIsFixed: Self { Self() }
  /// The schema does not have the class.
  public static var unknownClass: Self { Self() }
  /// The class does not have the property.
  public static var unknownProperty: Self { Self() }
  /// A change was made outside a write.
  public static var notInWrite: Self { Self() }
  /// A write was begun inside a write.
  public static var nestedWrite: Self { Self() }
  /// The object has been deleted.
  public static var objectDeleted: Self { Self() }
  /// The object belongs to another store.
  public static var objectOfOtherStore: Self { Self() }
  /// The object has not been added to a store.
  public static var notInStore: Self { Self() }
  /// A lookup by primary key needs a primary key, and the class does not have one.
  public static var noPrimaryKey: Self { Self() }
  /// A value is above the size limit.
  public static var valueTooLarge: Self { Self() }
  /// A key of a map is empty or too long.
  public static var invalidMapKey: Self { Self() }
  /// Lists and maps in a value of any type, or objects in values, are nested too deep.
  public static var nestedTooDeep: Self { Self() }
  /// An embedded object already belongs to another object.
  public static var embeddedHasOwner: Self { Self() }
  /// An embedded object cannot be added without an owner.
  public static var embeddedNeedsOwner: Self { Self() }
  /// A collection does not have an element at that position.
  public static var positionOutOfBounds: Self { Self() }
  /// Encoded objects link to each other in a cycle, or too deep.
  public static var codingCycle: Self { Self() }
}

extension StoreError.Code {
  /// The migration block left a property without a value.
  public static var migrationUnset: Self { Self() }
  /// Several objects have the same primary key, or the same values of a unique index, at the end of
  /// a migration.
  public static var migrationDuplicateKeys: Self { Self() }
  /// A property becomes required and is nil in some objects.
  public static var migrationNil: Self { Self() }
  /// A value cannot be converted to the new type of its property without loss.
  public static var conversionFailed: Self { Self() }
  /// A property cannot be renamed.
  public static var invalidRename: Self { Self() }
  /// Another process is migrating the store.
  public static var migrationInProgress: Self { Self() }
  /// The rules of an online migration cannot make all of its changes.
  public static var cannotMigrateOnline: Self { Self() }
  /// Objects in the file are not yet converted, and the app does not declare the rule for them.
  public static var transitionNeedsRule: Self { Self() }
  /// The rule of an online migration has read or changed more than its object.
  public static var ruleFailed: Self { Self() }
  /// The app cancelled the migration.
  public static var migrationCancelled: Self { Self() }
  /// The migration block threw an error.
  public static var migrationBlockFailed: Self { Self() }
  /// The old object of a migration cannot be changed.
  public static var oldObjectIsReadOnly: Self { Self() }
  /// A typed declaration used in a migration does not match the file or the app's models.
  public static var shapeMismatch: Self { Self() }
}

extension StoreError.Code {
  /// The backup before a migration failed.
  public static var backupFailed: Self { Self() }
  /// A store whose migration failed could not be moved away to start with an empty one.
  public static var freshStartRefused: Self { Self() }
  /// The file of an open store has been deleted or moved away. Another file may be in its place.
  public static var storeMoved: Self { Self() }
  /// A migration cannot be undone, or not without losing later writes.
  public static var undoNotPossible: Self { Self() }
}

extension StoreError.Code {
  /// An action is not possible during a write, for example closing the store.
  public static var inWrite: Self { Self() }
  /// Another writer has been writing for longer than an asynchronous write was to wait.
  public static var writeTimedOut: Self { Self() }
  /// A write must be ended on the thread that began it.
  public static var writeOfOtherThread: Self { Self() }
  /// The store cannot be deleted because it is open in this or another process. Also thrown when
  /// another process moves or replaces the file for longer than opening waits.
  public static var storeInUse: Self { Self() }
  /// A file exists at the path of a copy.
  public static var fileExists: Self { Self() }
  /// A new store cannot be created from its seed.
  public static var seedFailed: Self { Self() }
}

extension StoreError.Code {
  /// A query does something that the types of its properties do not support.
  public static var queryMismatch: Self { Self() }
  /// A query contradicts itself, or its text is not valid or uses unknown names. For text, the
  /// ``StoreError/underlying`` error is a ``QueryTextError``.
  public static var invalidQuery: Self { Self() }
  /// A predicate has a part that queries do not support.
  public static var untranslatablePredicate: Self { Self() }
}
