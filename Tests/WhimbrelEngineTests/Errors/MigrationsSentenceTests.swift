import Foundation
import Testing
import WhimbrelEngine

/// The sentences of the errors of migrations, word by word.
struct MigrationsSentenceTests {
  @Test(arguments: migrationsSentences)
  func `an error says what it is about`(expected: ExpectedSentence) {
    expected.check()
  }
}

private let migrationsSentences: [ExpectedSentence] = [
  .init(
    .migrationUnset,
    .migrationUnset(
      class: "Zone", property: "latitude", objectID: ObjectID(rawValue: 17),
      primaryKey: "Europe/Andorra", from: 2, to: 3, objectsRead: 418),
    """
    Could not migrate 'Zone' from version 2 to 3: the migration block left 'latitude' unset \
    for object 17 (primary key 'Europe/Andorra'). Set it in the block, or declare a default \
    value. 418 objects were read; the store is unchanged.
    """),
  .init(
    .migrationUnset,
    .migrationUnset(
      class: "Zone", property: "latitude", objectID: ObjectID(rawValue: 17), primaryKey: nil,
      from: 2, to: 3, objectsRead: 1),
    """
    Could not migrate 'Zone' from version 2 to 3: the migration block left 'latitude' unset \
    for object 17. Set it in the block, or declare a default value. 1 object was read; the \
    store is unchanged.
    """),
  .init(
    .migrationUnset,
    .migrationUnset(
      class: "Zone", property: "latitude", objectID: ObjectID(rawValue: 17), primaryKey: nil,
      from: 2, to: 3, objectsRead: 0, hasBlock: false),
    """
    Could not migrate 'Zone' from version 2 to 3: nothing gives 'latitude' a value for object \
    17. Give the configuration a migration block that sets it, or declare a default value. 0 \
    objects were read; the store is unchanged.
    """),
  .init(
    .migrationDuplicateKeys,
    .migrationDuplicateKeys(
      class: "Zone", property: "identifier",
      duplicates: [(.string("Europe/Andorra"), ids(1, 5)), (.int(7), ids(2, 3, 4))], total: 2,
      from: 2, to: 3),
    """
    Could not migrate 'Zone' from version 2 to 3: the primary key 'identifier' has duplicate \
    values:
    - 'Europe/Andorra': objects 1, 5
    - 7: objects 2, 3, 4
    Make them unique in a migration block. The store is unchanged.
    """),
  .init(
    .migrationDuplicateKeys,
    .migrationDuplicateKeys(
      class: "Zone", property: "identifier", duplicates: [(.string(""), ids(1, 5))], total: 13,
      from: 2, to: 3),
    """
    Could not migrate 'Zone' from version 2 to 3: the primary key 'identifier' has duplicate \
    values:
    - '': objects 1, 5
    - and 12 more values
    Make them unique in a migration block. The store is unchanged.
    """),
  .init(
    .migrationDuplicateKeys,
    .migrationDuplicateValues(
      class: "Zone", properties: ["name", "level"],
      duplicates: [(["Rome", 1], ids(1, 5))], total: 13, from: 2, to: 3),
    """
    Could not migrate 'Zone' from version 2 to 3: the unique index of 'name' and 'level' has \
    duplicate values:
    - 'Rome', 1: objects 1, 5
    - and 12 more values
    Make them unique in a migration block, or declare the index without '.unique'. The store is \
    unchanged.
    """),
  .init(
    .migrationDuplicateKeys,
    .migrationDuplicateValues(
      class: "Zone", properties: ["name"], duplicates: [(["Rome"], ids(1, 5))], total: 1, from: 3,
      to: 3),
    """
    Could not migrate 'Zone' from version 3 to 3: the unique index of 'name' has duplicate values:
    - 'Rome': objects 1, 5
    Make them unique in a migration block, which takes a higher schema version, or declare the \
    index without '.unique'. The store is unchanged.
    """),
  .init(
    .migrationNil,
    .migrationNil(class: "Zone", property: "latitude", count: 12, first: ids(1, 5), from: 2, to: 3),
    """
    Could not migrate 'Zone' from version 2 to 3: 'latitude' is required now and is nil in \
    12 objects, starting with objects 1, 5. Set it in the migration block, or declare a \
    default value. The store is unchanged.
    """),
  .init(
    .migrationNil,
    .migrationNil(
      class: "Zone", property: "latitude", count: 1, first: ids(5), from: 2, to: 3,
      hasBlock: false),
    """
    Could not migrate 'Zone' from version 2 to 3: 'latitude' is required now and is nil in 1 \
    object, starting with object 5. Give the configuration a migration block that sets it, or \
    declare a default value. The store is unchanged.
    """),
  .init(
    .conversionFailed,
    .conversionFailed(
      class: "Zone", property: "rank", objectID: ObjectID(rawValue: 17), primaryKey: 5,
      oldType: .int, newType: .double, from: 2, to: 3),
    """
    Could not migrate 'Zone' from version 2 to 3: 'rank' of object 17 (primary key 5) cannot \
    be converted from 'int' to 'double' without loss. Set it in the migration block. The \
    store is unchanged.
    """),
  .init(
    .conversionFailed,
    .conversionFailed(
      class: "Zone", property: "rank", objectID: ObjectID(rawValue: 17), primaryKey: nil,
      oldType: .int, newType: .double, from: 2, to: 3, hasBlock: false),
    """
    Could not migrate 'Zone' from version 2 to 3: 'rank' of object 17 cannot be converted from \
    'int' to 'double' without loss. Give the configuration a migration block that sets it. The \
    store is unchanged.
    """),
  .init(
    .invalidRename,
    .invalidRename(class: "Zone", from: "name", to: "identifier", problem: .classMissing),
    """
    Could not rename the property 'Zone.name' to 'identifier': the class 'Zone' does not \
    exist. Correct the call, or the '@Renamed' of the model. The store is unchanged.
    """),
  .init(
    .invalidRename,
    .invalidRename(class: "Zone", from: "name", to: "identifier", problem: .classRemoved),
    """
    Could not rename the property 'Zone.name' to 'identifier': the class 'Zone' has been \
    removed from the models. Correct the call, or the '@Renamed' of the model. The store is \
    unchanged.
    """),
  .init(
    .invalidRename,
    .invalidRename(class: "Zone", from: "name", to: "identifier", problem: .sourceStillDeclared),
    """
    Could not rename the property 'Zone.name' to 'identifier': the source property is still \
    declared. Correct the call, or the '@Renamed' of the model; to exchange two properties, \
    set both in the migration block. The store is unchanged.
    """),
  .init(
    .invalidRename,
    .invalidRename(class: "Zone", from: "name", to: "identifier", problem: .sourceMissing),
    """
    Could not rename the property 'Zone.name' to 'identifier': the source property does not \
    exist. Correct the call, or the '@Renamed' of the model. The store is unchanged.
    """),
  .init(
    .invalidRename,
    .invalidRename(class: "Zone", from: "name", to: "identifier", problem: .destinationNotDeclared),
    """
    Could not rename the property 'Zone.name' to 'identifier': the renamed property \
    'identifier' is not declared. Correct the call, or the '@Renamed' of the model. The \
    store is unchanged.
    """),
  .init(
    .invalidRename,
    .invalidRename(class: "Zone", from: "name", to: "identifier", problem: .destinationExists),
    """
    Could not rename the property 'Zone.name' to 'identifier': the store has a property of \
    that name already. Correct the call, or the '@Renamed' of the model. The store is \
    unchanged.
    """),
  .init(
    .invalidRename,
    .invalidRename(
      class: "Zone", from: "name", to: "identifier", problem: .typeChanges(from: .int, to: .string)),
    """
    Could not rename the property 'Zone.name' to 'identifier': it would change from type \
    'int' to 'string'. Correct the call, or the '@Renamed' of the model. The store is \
    unchanged.
    """),
  .init(
    .invalidRename,
    .invalidRename(class: "Zone", from: "name", to: "identifier", problem: .becomesRequired),
    """
    Could not rename the property 'Zone.name' to 'identifier': it would change from optional \
    to required. Correct the call, or the '@Renamed' of the model. The store is unchanged.
    """),
  .init(
    .invalidRename, .invalidClassRename(from: "Zone", to: "Area", problem: .sourceMissing),
    """
    Could not rename the class 'Zone' to 'Area': the source class does not exist. Correct \
    the call. The store is unchanged.
    """),
  .init(
    .invalidRename, .invalidClassRename(from: "Zone", to: "Area", problem: .sourceStillDeclared),
    """
    Could not rename the class 'Zone' to 'Area': the source class is still declared. Correct \
    the call; to exchange two classes, declare a version between in which both have other \
    names. The store is unchanged.
    """),
  .init(
    .invalidRename, .invalidClassRename(from: "Zone", to: "Area", problem: .destinationNotDeclared),
    """
    Could not rename the class 'Zone' to 'Area': the class 'Area' is not declared. Correct \
    the call. The store is unchanged.
    """),
  .init(
    .invalidRename, .invalidClassRename(from: "Zone", to: "Area", problem: .destinationExists),
    """
    Could not rename the class 'Zone' to 'Area': the store has a class of that name already. \
    Correct the call. The store is unchanged.
    """),
  .init(
    .invalidRename, .invalidClassRename(from: "Zone", to: "Area", problem: .tooLate),
    """
    Could not rename the class 'Zone' to 'Area': the migration has enumerated or changed \
    objects of one of the two, or of a class that links to it, before. Correct the call. \
    The store is unchanged.
    """),
  .init(
    .migrationInProgress, .migrationInProgress(path: "zones.whimbrel", processID: 17),
    """
    Could not write to the store at 'zones.whimbrel': process 17 is migrating it. Try again \
    when the migration has finished.
    """),
  .init(
    .migrationInProgress, .migrationInProgress(path: "zones.whimbrel", processID: nil),
    """
    Could not write to the store at 'zones.whimbrel': another process is migrating it. Try \
    again when the migration has finished.
    """),
  .init(
    .migrationInProgress,
    .migrationTimedOut(path: "zones.whimbrel", processID: 17, timeout: .seconds(60)),
    """
    Could not open the store at 'zones.whimbrel': process 17 is migrating it, and has not \
    finished within 60 seconds. Try again when that has finished, or configure a longer \
    'migrationTimeout'.
    """),
  .init(
    .migrationInProgress,
    .migrationTimedOut(path: "zones.whimbrel", processID: nil, timeout: .milliseconds(1_500)),
    """
    Could not open the store at 'zones.whimbrel': another process is migrating it, and has not \
    finished within 1.5 seconds. Try again when that has finished, or configure a longer \
    'migrationTimeout'.
    """),
  .init(
    .migrationInProgress,
    .migrationTimedOut(path: "zones.whimbrel", processID: 17, timeout: .seconds(1)),
    """
    Could not open the store at 'zones.whimbrel': process 17 is migrating it, and has not \
    finished within 1 second. Try again when that has finished, or configure a longer \
    'migrationTimeout'.
    """),
  .init(
    .migrationCancelled, .waitingCancelled(path: "zones.whimbrel"),
    """
    Could not open the store at 'zones.whimbrel': it was cancelled while another process \
    migrates it. Open the store again when that has finished.
    """),
  .init(
    .conversionFailed,
    .migrationValuesMissing(
      path: "zones.whimbrel",
      [
        StoreError.MissingValues(
          class: "Zone", property: "area", objects: ids(1, 2), count: 312,
          primaryKey: "Europe/Andorra", reason: .unset),
        StoreError.MissingValues(
          class: "Country", property: "name", objects: ids(7), count: 1, primaryKey: nil,
          reason: .isNil),
        StoreError.MissingValues(
          class: "Country", property: "rank", objects: ids(3), count: 2, primaryKey: nil,
          reason: .lost(from: .int, to: .int8, value: "70000")),
      ], from: 2, to: 3, objectsRead: 0),
    """
    Could not migrate the store at 'zones.whimbrel' from version 2 to 3: properties are unset:
    - 'Zone.area' is not set in 312 objects, starting with object 1 (primary key 'Europe/Andorra').
    - 'Country.name' is nil in object 7.
    - 'Country.rank' cannot be converted from 'int' to 'int8' without loss in 2 objects, starting \
    with object 3 (value: '70000').
    Set them in the migration block, or declare default values. The store is unchanged.
    """),
  .init(
    .conversionFailed,
    .conversionFailed(
      class: "Zone", property: "rank", objectID: ObjectID(rawValue: 17), primaryKey: 5,
      oldType: .int, newType: .int8, value: "70000", from: 2, to: 3),
    """
    Could not migrate 'Zone' from version 2 to 3: 'rank' of object 17 (primary key 5) cannot \
    be converted from 'int' to 'int8' without loss (value: '70000'). Set it in the migration \
    block. The store is unchanged.
    """),
  .init(
    .migrationCancelled, .migrationCancelled(path: "zones.whimbrel", from: 2, to: 3),
    """
    Could not migrate the store at 'zones.whimbrel' from version 2 to 3: it was cancelled. \
    Open the store again to start over. The store is unchanged.
    """),
  .init(
    .migrationBlockFailed,
    .migrationBlockFailed(
      underlying: SampleBlockError.coordinates, class: "Zone", objectID: ObjectID(rawValue: 17),
      primaryKey: "Europe/Andorra", from: 2, to: 3),
    """
    Could not migrate 'Zone' from version 2 to 3: the migration block threw 'coordinates' \
    for object 17 (primary key 'Europe/Andorra'). Correct the block, or the data that it \
    cannot handle. The store is unchanged.
    """),
  .init(
    .migrationBlockFailed,
    .migrationBlockFailed(
      underlying: SampleBlockError.coordinates, class: nil, objectID: nil, from: 2, to: 3),
    """
    Could not migrate the store from version 2 to 3: the migration block threw \
    'coordinates'. Correct the block, or the data that it cannot handle. The store is \
    unchanged.
    """),
  .init(
    .schemaVersionTooNew, .versionLower(path: "zones.whimbrel", found: 5, declared: 4),
    """
    Could not migrate the store at 'zones.whimbrel' from version 5 to 4: a schema version \
    never goes down. Declare a schema version of at least 5.
    """),
  .init(
    .oldObjectIsReadOnly, .oldObjectIsReadOnly(class: "Zone", objectID: ObjectID(rawValue: 17)),
    """
    Could not change object 17 of 'Zone': it is the old side of a migration. Change the new \
    object that the block was given beside it.
    """),
]
