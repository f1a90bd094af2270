extension StoreError {
  /// What kind of error a ``StoreError`` is.
  ///
  /// Catch one kind by its name: `catch StoreError.Code.fileNotFound { … }`.
  /// Later versions may add codes.
  public struct Code: Hashable, Sendable {
    private enum Value: String {
      case fileNotFound, parentFolderMissing, isDirectory, emptyFile, notAStore, truncated, damaged,
        formatTooNew, schemaVersionTooNew, schemaMismatch, migrationNeeded, permissionDenied,
        readOnlyFolder, lockFileUnusable, noSpace, diskQuotaExceeded, addressSpaceExhausted,
        mapFull, tooManyReaders, ioError, usedAfterFork, invalidConfiguration, invalidSchema,
        openWithOtherSettings, storeClosed, schemaChangedElsewhere, readOnlyStore
      case duplicatePrimaryKey, missingValue, wrongType, outOfRange, unknownClass, unknownProperty,
        notInWrite, nestedWrite, objectDeleted, objectOfOtherStore, noPrimaryKey, valueTooLarge,
        primaryKeyIsFixed, invalidMapKey, nestedTooDeep, embeddedHasParent, embeddedNeedsParent,
        positionOutOfBounds, codingCycle, duplicateValues
      case migrationUnset, migrationDuplicateKeys, migrationNil, conversionFailed, invalidRename,
        migrationInProgress, migrationCancelled, migrationBlockFailed, oldObjectIsReadOnly,
        shapeMismatch
      case backupFailed, freshStartRefused, storeMoved, undoNotPossible
      case inWrite, writeOfOtherThread, storeInUse, fileExists, seedFailed
      case queryMismatch, invalidQuery, untranslatablePredicate
    }

    private let value: Value

    private init(_ value: Value) { self.value = value }

    /// Whether the error is a ``StoreError`` of this kind.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? StoreError)?.code == code
    }
  }
}

extension StoreError.Code: CustomStringConvertible {
  /// The name of the code.
  public var description: String { value.rawValue }
}

extension StoreError.Code {
  /// There is no file, and a store opened read-only is not created.
  public static let fileNotFound = Self(.fileNotFound)
  /// The folder that the file should be in does not exist.
  public static let parentFolderMissing = Self(.parentFolderMissing)
  /// The path is that of a folder.
  public static let isDirectory = Self(.isDirectory)
  /// The file has no bytes.
  public static let emptyFile = Self(.emptyFile)
  /// The file is of another format.
  public static let notAStore = Self(.notAStore)
  /// The file is shorter than its own header says.
  public static let truncated = Self(.truncated)
  /// The content of the file breaks a rule of the format.
  public static let damaged = Self(.damaged)
  /// A newer version of Whimbrel wrote the file.
  public static let formatTooNew = Self(.formatTooNew)
  /// A newer version of the app has migrated the file.
  public static let schemaVersionTooNew = Self(.schemaVersionTooNew)
  /// The models have changed and the schema version has not.
  public static let schemaMismatch = Self(.schemaMismatch)
  /// The store is opened read-only and would have to be migrated.
  public static let migrationNeeded = Self(.migrationNeeded)
  /// The operating system does not let this process use the file.
  public static let permissionDenied = Self(.permissionDenied)
  /// The lock file cannot be made because the folder cannot be written to.
  public static let readOnlyFolder = Self(.readOnlyFolder)
  /// The lock file beside the store cannot be used.
  public static let lockFileUnusable = Self(.lockFileUnusable)
  /// The disk is full, or has less space than a migration needs.
  public static let noSpace = Self(.noSpace)
  /// The user's share of the disk is used up.
  public static let diskQuotaExceeded = Self(.diskQuotaExceeded)
  /// The process cannot map as much memory as the store may grow to.
  public static let addressSpaceExhausted = Self(.addressSpaceExhausted)
  /// The store has grown to its maximum size.
  public static let mapFull = Self(.mapFull)
  /// More snapshots are in use than the lock file has room for.
  public static let tooManyReaders = Self(.tooManyReaders)
  /// The operating system reported an error.
  public static let ioError = Self(.ioError)
  /// The store was opened before this process was forked.
  public static let usedAfterFork = Self(.usedAfterFork)
  /// The configuration of a store contradicts itself.
  public static let invalidConfiguration = Self(.invalidConfiguration)
  /// The models break the rules of schemas.
  public static let invalidSchema = Self(.invalidSchema)
  /// This process has the store open with other settings.
  public static let openWithOtherSettings = Self(.openWithOtherSettings)
  /// The store has been closed.
  public static let storeClosed = Self(.storeClosed)
  /// Another process or thread has migrated the store since it was opened.
  public static let schemaChangedElsewhere = Self(.schemaChangedElsewhere)
  /// The store was opened read-only.
  public static let readOnlyStore = Self(.readOnlyStore)
}

extension StoreError.Code {
  /// An object with this primary key exists.
  public static let duplicatePrimaryKey = Self(.duplicatePrimaryKey)
  /// Another object has these values, and an index is unique.
  public static let duplicateValues = Self(.duplicateValues)
  /// A required property has neither a value nor a default.
  public static let missingValue = Self(.missingValue)
  /// A value is of another type than its property.
  public static let wrongType = Self(.wrongType)
  /// A number does not fit into its property.
  public static let outOfRange = Self(.outOfRange)
  /// The primary key of an object in a store was to be changed.
  public static let primaryKeyIsFixed = Self(.primaryKeyIsFixed)
  /// The schema has no such class.
  public static let unknownClass = Self(.unknownClass)
  /// The class has no such property.
  public static let unknownProperty = Self(.unknownProperty)
  /// A change was tried outside of a write.
  public static let notInWrite = Self(.notInWrite)
  /// A write was begun inside of a write.
  public static let nestedWrite = Self(.nestedWrite)
  /// The object has been deleted.
  public static let objectDeleted = Self(.objectDeleted)
  /// The object belongs to another store.
  public static let objectOfOtherStore = Self(.objectOfOtherStore)
  /// Something needs a primary key and the class has none.
  public static let noPrimaryKey = Self(.noPrimaryKey)
  /// A value takes more bytes than a store keeps.
  public static let valueTooLarge = Self(.valueTooLarge)
  /// A key of a map is empty or too long.
  public static let invalidMapKey = Self(.invalidMapKey)
  /// Lists and maps in a value of any type are too deep inside of each other.
  public static let nestedTooDeep = Self(.nestedTooDeep)
  /// An embedded object belongs to another object already.
  public static let embeddedHasParent = Self(.embeddedHasParent)
  /// An embedded object cannot be in a store by itself.
  public static let embeddedNeedsParent = Self(.embeddedNeedsParent)
  /// A collection has no element at that position.
  public static let positionOutOfBounds = Self(.positionOutOfBounds)
  /// Objects are encoded that lead to each other in a circle, or too deep.
  public static let codingCycle = Self(.codingCycle)
}

extension StoreError.Code {
  /// The migration block left a property without a value.
  public static let migrationUnset = Self(.migrationUnset)
  /// Several objects have the same primary key, or the same values in a unique index, at
  /// the end of a migration.
  public static let migrationDuplicateKeys = Self(.migrationDuplicateKeys)
  /// A property has become required and is nil in some objects.
  public static let migrationNil = Self(.migrationNil)
  /// A value cannot be converted to the new type of its property without loss.
  public static let conversionFailed = Self(.conversionFailed)
  /// A property cannot be renamed.
  public static let invalidRename = Self(.invalidRename)
  /// Another process is migrating the store.
  public static let migrationInProgress = Self(.migrationInProgress)
  /// The app cancelled the migration.
  public static let migrationCancelled = Self(.migrationCancelled)
  /// The migration block threw an error.
  public static let migrationBlockFailed = Self(.migrationBlockFailed)
  /// The object shows the store as it was before the migration.
  public static let oldObjectIsReadOnly = Self(.oldObjectIsReadOnly)
  /// A typed declaration that a migration uses is not that of the file or of the app.
  public static let shapeMismatch = Self(.shapeMismatch)
}

extension StoreError.Code {
  /// The backup that a migration begins with cannot be made.
  public static let backupFailed = Self(.backupFailed)
  /// A store whose migration failed cannot be moved away to start with an empty one.
  public static let freshStartRefused = Self(.freshStartRefused)
  /// The file of an open store has been moved away, and another may be in its place.
  public static let storeMoved = Self(.storeMoved)
  /// A migration cannot be undone, or no longer without losing what was written since.
  public static let undoNotPossible = Self(.undoNotPossible)
}

extension StoreError.Code {
  /// Something that is not possible while a write is in progress, such as closing the store.
  public static let inWrite = Self(.inWrite)
  /// A write was to be ended on another thread than it was begun on.
  public static let writeOfOtherThread = Self(.writeOfOtherThread)
  /// A store that is open, here or in another process, was to be deleted; or its file is being
  /// moved or replaced for longer than opening it waits.
  public static let storeInUse = Self(.storeInUse)
  /// There is a file where a copy was to go.
  public static let fileExists = Self(.fileExists)
  /// A new store cannot be made of its seed.
  public static let seedFailed = Self(.seedFailed)
}

extension StoreError.Code {
  /// A query asks for what the types of the properties that it names do not allow.
  public static let queryMismatch = Self(.queryMismatch)
  /// A query contradicts itself, or is given as text that cannot be read or names what is
  /// not there; then the ``StoreError/underlying`` error is a ``QueryTextError``.
  public static let invalidQuery = Self(.invalidQuery)
  /// A predicate has a part for which queries have no counterpart.
  public static let untranslatablePredicate = Self(.untranslatablePredicate)
}
