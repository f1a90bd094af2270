import Foundation
import WhimbrelEngine

/// The errors of opening and using a store.
let openingErrors: [StoreError] = [
  .fileNotFound(path: "zones.whimbrel"),
  .parentFolderMissing(path: "/data/app/zones.whimbrel"),
  .isDirectory(path: "/data"),
  .emptyFile(path: "zones.whimbrel"),
  .notAStore(path: "notes.txt"),
  .notAStore(path: "notes.txt", detail: "it starts with text"),
  .truncated(path: "zones.whimbrel", expectedBytes: 40_960, actualBytes: 8_192),
  .damaged(path: "zones.whimbrel", detail: "page 7 is used twice"),
  .formatTooNew(path: "zones.whimbrel", found: 3, supported: 1),
  .schemaVersionTooNew(path: "zones.whimbrel", found: 5, declared: 4),
  .schemaMismatch(path: "zones.whimbrel", version: 4, changes: twoChanges),
  .migrationNeeded(path: "zones.whimbrel", found: 2, declared: 3, changes: twoChanges),
  .migrationNeeded(
    path: "zones.whimbrel", found: 2, declared: 2,
    changes: [.indexAdded(class: "Zone", property: "area")]),
  .migrationNeeded(path: "zones.whimbrel", found: 3, declared: 4),
  .permissionDenied(path: "zones.whimbrel"),
  .readOnlyFolder(path: "zones.whimbrel"),
  .lockFileUnusable(path: "zones.whimbrel", detail: "it is a folder"),
  .noSpace(path: "zones.whimbrel"),
  .noSpace(path: "zones.whimbrel", needed: 2_300),
  .noSpace(path: "zones.whimbrel", needed: 2_300, available: 1_000),
  .diskQuotaExceeded(path: "zones.whimbrel"),
  .addressSpaceExhausted(path: "zones.whimbrel", size: 65_536),
  .mapFull(path: "zones.whimbrel", size: 65_536),
  .tooManyReaders(path: "zones.whimbrel", limit: 512),
  .ioError(path: "zones.whimbrel", number: EIO),
  .usedAfterFork(path: "zones.whimbrel", openedBy: 17),
  .usedAfterFork(path: "zones.whimbrel", openedBy: nil),
  .invalidConfiguration(path: "zones.whimbrel", problems: ["this is wrong", "that too"]),
  .invalidConfiguration(path: "zones.whimbrel", reason: "'maximumSize' is negative"),
  .invalidSchema(problems: ["Class 'Zone' appears more than once."]),
  .openWithOtherSettings(
    path: "zones.whimbrel", setting: "maximumSize", current: "5", requested: "6"),
  .storeClosed(path: "zones.whimbrel"),
  .schemaChangedElsewhere(path: "zones.whimbrel", changes: []),
  .schemaChangedElsewhere(path: "zones.whimbrel", changes: twoChanges),
  .readOnlyStore(verb: "add an object"),
]
