import Foundation
import Testing
import WhimbrelEngine

/// The sentences of the errors of opening and using a store, word by word.
struct OpeningSentenceTests {
  @Test(arguments: openingSentences)
  func `an error says what it is about`(expected: ExpectedSentence) {
    expected.check()
  }
}

private let openingSentences: [ExpectedSentence] = [
  .init(
    .fileNotFound, .fileNotFound(path: "zones.whimbrel"),
    """
    Could not open the store at 'zones.whimbrel': there is no such file, and a read-only \
    store is not created. Check the path, or open it for writing.
    """),
  .init(
    .parentFolderMissing, .parentFolderMissing(path: "/data/app/zones.whimbrel"),
    """
    Could not open the store at '/data/app/zones.whimbrel': its folder '/data/app' does not \
    exist. Create the folder first.
    """),
  .init(
    .isDirectory, .isDirectory(path: "/data"),
    """
    Could not open the store at '/data': it is a folder. Give the path of a file, such as \
    'default.whimbrel' in that folder.
    """),
  .init(
    .emptyFile, .emptyFile(path: "zones.whimbrel"),
    """
    Could not open the store at 'zones.whimbrel': the file is empty. Delete it to have a new \
    store made, or restore a copy.
    """),
  .init(
    .notAStore, .notAStore(path: "notes.txt"),
    """
    Could not open the store at 'notes.txt': it is not a Whimbrel store. Check the path. The \
    file was left as it is.
    """),
  .init(
    .notAStore, .notAStore(path: "notes.txt", detail: "it starts with text"),
    """
    Could not open the store at 'notes.txt': it is not a Whimbrel store; it starts with \
    text. Check the path. The file was left as it is.
    """),
  .init(
    .truncated, .truncated(path: "zones.whimbrel", expectedBytes: 40_960, actualBytes: 8_192),
    """
    Could not open the store at 'zones.whimbrel': the file was cut short: it has 8192 bytes \
    and needs 40960. Restore a copy of the file.
    """),
  .init(
    .damaged, .damaged(path: "zones.whimbrel", detail: "page 7 is used twice"),
    """
    Could not read the store at 'zones.whimbrel': the file is damaged: page 7 is used twice. \
    Restore a copy of the file.
    """),
  .init(
    .formatTooNew, .formatTooNew(path: "zones.whimbrel", found: 3, supported: 1),
    """
    Could not open the store at 'zones.whimbrel': its format version is 3 and this version \
    of Whimbrel knows up to 1. Open it with a newer version of Whimbrel.
    """),
  .init(
    .schemaVersionTooNew, .schemaVersionTooNew(path: "zones.whimbrel", found: 5, declared: 4),
    """
    Could not open the store at 'zones.whimbrel': its schema version is 5 and this app \
    declares 4. Open it with a newer version of the app, or restore a copy made before it \
    was upgraded.
    """),
  .init(
    .schemaMismatch, .schemaMismatch(path: "zones.whimbrel", version: 4, changes: twoChanges),
    """
    Could not open the store at 'zones.whimbrel': migration is required due to the following \
    errors:
    - Property 'Person.age' has been changed from 'int' to 'string'.
    - Property 'Zone.area' has been added.
    Declare a schema version above 4.
    """),
  .init(
    .migrationNeeded,
    .migrationNeeded(path: "zones.whimbrel", found: 2, declared: 3, changes: twoChanges),
    """
    Could not open the store at 'zones.whimbrel': its schema version is 2, this app declares 3, \
    and a read-only store is not migrated:
    - Property 'Person.age' has been changed from 'int' to 'string'.
    - Property 'Zone.area' has been added.
    Open it for writing once, or declare the schema version 2.
    """),
  .init(
    .migrationNeeded,
    .migrationNeeded(
      path: "zones.whimbrel", found: 2, declared: 2,
      changes: [.indexAdded(class: "Zone", property: "area")]),
    """
    Could not open the store at 'zones.whimbrel': the models have changed, and a read-only store \
    is not migrated:
    - Property 'Zone.area' has been made indexed.
    Open it for writing once, or declare the models as they were.
    """),
  .init(
    .migrationNeeded, .migrationNeeded(path: "zones.whimbrel", found: 3, declared: 4),
    """
    Could not open the store at 'zones.whimbrel': its schema version is 3, this app declares \
    4, and a read-only store is not migrated. Open it for writing once, or declare the \
    schema version 3.
    """),
  .init(
    .permissionDenied, .permissionDenied(path: "zones.whimbrel"),
    """
    Could not open the store at 'zones.whimbrel': permission was denied. Check the \
    permissions of the file and of its folder.
    """),
  .init(
    .readOnlyFolder, .readOnlyFolder(path: "zones.whimbrel"),
    """
    Could not open the store at 'zones.whimbrel': its folder cannot be written to, and a \
    lock file is needed beside it. Move the store to a folder that can be written to.
    """),
  .init(
    .lockFileUnusable, .lockFileUnusable(path: "zones.whimbrel", detail: "it is a folder"),
    """
    Could not open the store at 'zones.whimbrel': its lock file 'zones.whimbrel-lock' cannot \
    be used: it is a folder. Check the permissions of the lock file.
    """),
  .init(
    .noSpace, .noSpace(path: "zones.whimbrel"),
    """
    Could not write to the store at 'zones.whimbrel': the disk is full. Free some space and \
    try again. The store is unchanged.
    """),
  .init(
    .noSpace, .noSpace(path: "zones.whimbrel", needed: 2_300),
    """
    Could not write to the store at 'zones.whimbrel': 2300 bytes of disk space are needed. \
    Free some space and try again. The store is unchanged.
    """),
  .init(
    .noSpace, .noSpace(path: "zones.whimbrel", needed: 2_300, available: 1_000),
    """
    Could not write to the store at 'zones.whimbrel': 2300 bytes of disk space are needed \
    and 1000 are free. Free some space and try again. The store is unchanged.
    """),
  .init(
    .diskQuotaExceeded, .diskQuotaExceeded(path: "zones.whimbrel"),
    """
    Could not write to the store at 'zones.whimbrel': the disk quota is used up. Free some \
    space and try again. The store is unchanged.
    """),
  .init(
    .addressSpaceExhausted, .addressSpaceExhausted(path: "zones.whimbrel", size: 65_536),
    """
    Could not open the store at 'zones.whimbrel': this process has no room for a memory map \
    of 65536 bytes. Configure a smaller 'maximumSize'.
    """),
  .init(
    .mapFull, .mapFull(path: "zones.whimbrel", size: 65_536),
    """
    Could not write to the store at 'zones.whimbrel': it has reached its maximum size of \
    65536 bytes. Configure a larger 'maximumSize', or delete objects. The store is \
    unchanged.
    """),
  .init(
    .tooManyReaders, .tooManyReaders(path: "zones.whimbrel", limit: 512),
    """
    Could not read the store at 'zones.whimbrel': all of its 512 reader slots are in use. \
    Close stores and results that are no longer needed.
    """),
  .init(
    .ioError, .ioError(path: "zones.whimbrel", number: EIO),
    """
    Could not use the store at 'zones.whimbrel': the operating system reported 'Input/output \
    error' (error 5). Check the disk and try again.
    """),
  .init(
    .usedAfterFork, .usedAfterFork(path: "zones.whimbrel", openedBy: 17),
    """
    Could not use the store at 'zones.whimbrel': process 17 opened it, and this process is a \
    fork of that. Open the store again in this process.
    """),
  .init(
    .usedAfterFork, .usedAfterFork(path: "zones.whimbrel", openedBy: nil),
    """
    Could not use the store at 'zones.whimbrel': it was opened before this process was \
    forked. Open the store again in this process.
    """),
  .init(
    .invalidConfiguration,
    .invalidConfiguration(path: "zones.whimbrel", problems: ["this is wrong", "that too"]),
    """
    Could not open the store at 'zones.whimbrel': its configuration is not valid:
    - this is wrong
    - that too
    Correct the configuration.
    """),
  .init(
    .invalidConfiguration,
    .invalidConfiguration(path: "zones.whimbrel", reason: "'maximumSize' is negative"),
    """
    Could not open the store at 'zones.whimbrel': its configuration is not valid: \
    'maximumSize' is negative. Correct the configuration.
    """),
  .init(
    .invalidSchema, .invalidSchema(problems: ["Class 'Zone' appears more than once."]),
    """
    Could not use the schema: schema validation failed due to the following errors:
    - Class 'Zone' appears more than once.
    Correct the models.
    """),
  .init(
    .openWithOtherSettings,
    .openWithOtherSettings(
      path: "zones.whimbrel", setting: "maximumSize", current: "5", requested: "6"),
    """
    Could not open the store at 'zones.whimbrel': this process has it open with \
    'maximumSize' 5 and asks for 6. Use the same configuration everywhere, or close the \
    other store first.
    """),
  .init(
    .storeClosed, .storeClosed(path: "zones.whimbrel"),
    """
    Could not use the store at 'zones.whimbrel': it has been closed. Open it again.
    """),
  .init(
    .schemaChangedElsewhere, .schemaChangedElsewhere(path: "zones.whimbrel", changes: []),
    """
    Could not use the store at 'zones.whimbrel': its schema has been changed by another \
    process or thread. Open it again with the models of the new schema.
    """),
  .init(
    .schemaChangedElsewhere, .schemaChangedElsewhere(path: "zones.whimbrel", changes: twoChanges),
    """
    Could not use the store at 'zones.whimbrel': its schema has been changed by another \
    process or thread:
    - Property 'Person.age' has been changed from 'int' to 'string'.
    - Property 'Zone.area' has been added.
    Open it again with the models of the new schema.
    """),
  .init(
    .readOnlyStore, .readOnlyStore(verb: "add an object"),
    """
    Could not add an object: the store was opened read-only. Open it without 'isReadOnly'.
    """),
]
