extension StoreError {
  /// What kind of error a ``StoreError`` is.
  ///
  /// Catch one kind by its name: `catch StoreError.Code.fileNotFound { … }`.
  /// Later versions may add codes.
  public struct Code: Hashable, Sendable {
    private let name: String

    /// Makes the code of the static property that calls this.
    private init(_ name: String = #function) { self.name = name }

    /// Whether the error is a ``StoreError`` of this kind.
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
  /// There is no file, and a store opened read-only is not created.
  public static var fileNotFound: Self { Self() }
  /// The folder that the file should be in does not exist.
  public static var parentFolderMissing: Self { Self() }
  /// The path is that of a folder.
  public static var isDirectory: Self { Self() }
  /// The file has no bytes.
  public static var emptyFile: Self { Self() }
  /// The file is of another format.
  public static var notAStore: Self { Self() }
  /// The file is shorter than its own header says.
  public static var truncated: Self { Self() }
  /// The content of the file breaks a rule of the format.
  public static var damaged: Self { Self() }
  /// A newer version of Whimbrel wrote the file.
  public static var formatTooNew: Self { Self() }
  /// A newer version of the app has migrated the file.
  public static var schemaVersionTooNew: Self { Self() }
  /// The models have changed and the schema version has not.
  public static var schemaMismatch: Self { Self() }
  /// The store is opened read-only and would have to be migrated.
  public static var migrationNeeded: Self { Self() }
  /// The operating system does not let this process use the file.
  public static var permissionDenied: Self { Self() }
  /// The lock file cannot be made because the folder cannot be written to.
  public static var readOnlyFolder: Self { Self() }
  /// The lock file beside the store cannot be used.
  public static var lockFileUnusable: Self { Self() }
  /// The disk is full, or has less space than a migration needs.
  public static var noSpace: Self { Self() }
  /// The user's share of the disk is used up.
  public static var diskQuotaExceeded: Self { Self() }
  /// The process cannot map as much memory as the store may grow to.
  public static var addressSpaceExhausted: Self { Self() }
  /// The store has grown to its maximum size.
  public static var mapFull: Self { Self() }
  /// More snapshots are in use than the lock file has room for.
  public static var tooManyReaders: Self { Self() }
  /// The operating system reported an error.
  public static var ioError: Self { Self() }
  /// The store was opened before this process was forked.
  public static var usedAfterFork: Self { Self() }
  /// The configuration of a store contradicts itself.
  public static var invalidConfiguration: Self { Self() }
  /// The models break the rules of schemas.
  public static var invalidSchema: Self { Self() }
  /// This process has the store open with other settings.
  public static var openWithOtherSettings: Self { Self() }
  /// The store has been closed.
  public static var storeClosed: Self { Self() }
  /// Another process or thread has migrated the store since it was opened.
  public static var schemaChangedElsewhere: Self { Self() }
  /// The store was opened read-only.
  public static var readOnlyStore: Self { Self() }
}

extension StoreError.Code {
  /// An object with this primary key exists.
  public static var duplicatePrimaryKey: Self { Self() }
  /// Another object has these values, and an index is unique.
  public static var duplicateValues: Self { Self() }
  /// A required property has neither a value nor a default.
  public static var missingValue: Self { Self() }
  /// A value is of another type than its property.
  public static var wrongType: Self { Self() }
  /// A number does not fit into its property.
  public static var outOfRange: Self { Self() }
  /// The primary key of an object in a store was to be changed.
  public static var primaryKeyIsFixed: Self { Self() }
  /// The schema has no such class.
  public static var unknownClass: Self { Self() }
  /// The class has no such property.
  public static var unknownProperty: Self { Self() }
  /// A change was tried outside of a write.
  public static var notInWrite: Self { Self() }
  /// A write was begun inside of a write.
  public static var nestedWrite: Self { Self() }
  /// The object has been deleted.
  public static var objectDeleted: Self { Self() }
  /// The object belongs to another store.
  public static var objectOfOtherStore: Self { Self() }
  /// Something needs a primary key and the class has none.
  public static var noPrimaryKey: Self { Self() }
  /// A value takes more bytes than a store keeps.
  public static var valueTooLarge: Self { Self() }
  /// A key of a map is empty or too long.
  public static var invalidMapKey: Self { Self() }
  /// Lists and maps in a value of any type are too deep inside of each other.
  public static var nestedTooDeep: Self { Self() }
  /// An embedded object belongs to another object already.
  public static var embeddedHasParent: Self { Self() }
  /// An embedded object cannot be in a store by itself.
  public static var embeddedNeedsParent: Self { Self() }
  /// A collection has no element at that position.
  public static var positionOutOfBounds: Self { Self() }
  /// Objects are encoded that lead to each other in a circle, or too deep.
  public static var codingCycle: Self { Self() }
}

extension StoreError.Code {
  /// The migration block left a property without a value.
  public static var migrationUnset: Self { Self() }
  /// Several objects have the same primary key, or the same values in a unique index, at
  /// the end of a migration.
  public static var migrationDuplicateKeys: Self { Self() }
  /// A property has become required and is nil in some objects.
  public static var migrationNil: Self { Self() }
  /// A value cannot be converted to the new type of its property without loss.
  public static var conversionFailed: Self { Self() }
  /// A property cannot be renamed.
  public static var invalidRename: Self { Self() }
  /// Another process is migrating the store.
  public static var migrationInProgress: Self { Self() }
  /// The app cancelled the migration.
  public static var migrationCancelled: Self { Self() }
  /// The migration block threw an error.
  public static var migrationBlockFailed: Self { Self() }
  /// The object shows the store as it was before the migration.
  public static var oldObjectIsReadOnly: Self { Self() }
  /// A typed declaration that a migration uses is not that of the file or of the app.
  public static var shapeMismatch: Self { Self() }
}

extension StoreError.Code {
  /// The backup that a migration begins with cannot be made.
  public static var backupFailed: Self { Self() }
  /// A store whose migration failed cannot be moved away to start with an empty one.
  public static var freshStartRefused: Self { Self() }
  /// The file of an open store has been moved away, and another may be in its place.
  public static var storeMoved: Self { Self() }
  /// A migration cannot be undone, or no longer without losing what was written since.
  public static var undoNotPossible: Self { Self() }
}

extension StoreError.Code {
  /// Something that is not possible while a write is in progress, such as closing the store.
  public static var inWrite: Self { Self() }
  /// A write was to be ended on another thread than it was begun on.
  public static var writeOfOtherThread: Self { Self() }
  /// A store that is open, here or in another process, was to be deleted; or its file is being
  /// moved or replaced for longer than opening it waits.
  public static var storeInUse: Self { Self() }
  /// There is a file where a copy was to go.
  public static var fileExists: Self { Self() }
  /// A new store cannot be made of its seed.
  public static var seedFailed: Self { Self() }
}

extension StoreError.Code {
  /// A query asks for what the types of the properties that it names do not allow.
  public static var queryMismatch: Self { Self() }
  /// A query contradicts itself, or is given as text that cannot be read or names what is
  /// not there; then the ``StoreError/underlying`` error is a ``QueryTextError``.
  public static var invalidQuery: Self { Self() }
  /// A predicate has a part for which queries have no counterpart.
  public static var untranslatablePredicate: Self { Self() }
}
