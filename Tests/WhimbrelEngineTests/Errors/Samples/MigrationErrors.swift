@testable import WhimbrelEngine

/// The errors of migrations.
let migrationErrors: [StoreError] = [
  .migrationUnset(
    class: "Zone", property: "latitude", objectID: ObjectID(rawValue: 17),
    primaryKey: "Europe/Andorra", from: 2, to: 3, objectsRead: 418),
  .migrationUnset(
    class: "Zone", property: "latitude", objectID: ObjectID(rawValue: 17), primaryKey: nil,
    from: 2, to: 3, objectsRead: 1),
  .migrationUnset(
    class: "Zone", property: "latitude", objectID: ObjectID(rawValue: 17), primaryKey: nil,
    from: 2, to: 3, objectsRead: 0, hasBlock: false),
  .migrationUnset(
    class: "Zone", property: "latitude", objectID: ObjectID(rawValue: 17), primaryKey: nil,
    change: (.double, .int), from: 2, to: 3, objectsRead: 1, remedy: .code),
  .migrationUnset(
    class: "Zone", property: "latitude", objectID: ObjectID(rawValue: 17), primaryKey: nil,
    change: (.double, .int), from: 2, to: 3, objectsRead: 0, hasBlock: false, remedy: .code),
  .migrationDuplicateKeys(
    class: "Zone", property: "identifier",
    duplicates: [(.string("Europe/Andorra"), ids(1, 5)), (.int(7), ids(2, 3, 4))], total: 2,
    from: 2, to: 3),
  .migrationDuplicateKeys(
    class: "Zone", property: "identifier", duplicates: [(.string(""), ids(1, 5))], total: 13,
    from: 2, to: 3),
  .migrationDuplicateValues(
    class: "Zone", properties: ["name", "level"],
    duplicates: [(["Rome", 1], ids(1, 5))], total: 13, showsValues: true, from: 2, to: 3),
  .migrationDuplicateValues(
    class: "Zone", properties: ["name"],
    duplicates: [(["Rome"], ids(1, 5)), (["Oslo"], ids(2, 3))], total: 2,
    showsValues: false, from: 3, to: 3),
  .migrationNil(class: "Zone", property: "latitude", count: 12, first: ids(1, 5), from: 2, to: 3),
  .migrationNil(
    class: "Zone", property: "latitude", count: 1, first: ids(5), from: 2, to: 3,
    hasBlock: false),
  .conversionFailed(
    class: "Zone", property: "rank", objectID: ObjectID(rawValue: 17), primaryKey: 5,
    oldType: .int, newType: .double, from: 2, to: 3),
  .conversionFailed(
    class: "Zone", property: "rank", objectID: ObjectID(rawValue: 17), primaryKey: nil,
    oldType: .int, newType: .double, from: 2, to: 3, hasBlock: false),
  .invalidRename(class: "Zone", from: "name", to: "identifier", problem: .classMissing),
  .invalidRename(class: "Zone", from: "name", to: "identifier", problem: .classRemoved),
  .invalidRename(class: "Zone", from: "name", to: "identifier", problem: .sourceStillDeclared),
  .invalidRename(class: "Zone", from: "name", to: "identifier", problem: .sourceMissing),
  .invalidRename(class: "Zone", from: "name", to: "identifier", problem: .destinationNotDeclared),
  .invalidRename(class: "Zone", from: "name", to: "identifier", problem: .destinationExists),
  .invalidRename(
    class: "Zone", from: "name", to: "identifier", problem: .typeChanges(from: .int, to: .string)),
  .invalidRename(class: "Zone", from: "name", to: "identifier", problem: .becomesRequired),
  .invalidClassRename(from: "Zone", to: "Area", problem: .sourceMissing),
  .invalidClassRename(from: "Zone", to: "Area", problem: .sourceStillDeclared),
  .invalidClassRename(from: "Zone", to: "Area", problem: .destinationNotDeclared),
  .invalidClassRename(from: "Zone", to: "Area", problem: .destinationExists),
  .invalidClassRename(from: "Zone", to: "Area", problem: .tooLate),
  .migrationInProgress(path: "zones.whimbrel", processID: 17),
  .migrationInProgress(path: "zones.whimbrel", processID: nil),
  .migratingAlready(path: "zones.whimbrel"),
  .migrationTimedOut(path: "zones.whimbrel", processID: 17, timeout: .seconds(60)),
  .migrationTimedOut(path: "zones.whimbrel", processID: nil, timeout: .milliseconds(1_500)),
  .migrationTimedOut(path: "zones.whimbrel", processID: 17, timeout: .seconds(1)),
  .waitingCancelled(path: "zones.whimbrel"),
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
      StoreError.MissingValues(
        class: "Country", property: "code", objects: ids(3), count: 2, primaryKey: nil,
        reason: .unconverted(from: .data, to: .string)),
    ], from: 2, to: 3, objectsRead: 0),
  .conversionFailed(
    class: "Zone", property: "rank", objectID: ObjectID(rawValue: 17), primaryKey: 5,
    oldType: .int, newType: .int8, value: "70000", from: 2, to: 3),
  .migrationCancelled(path: "zones.whimbrel", from: 2, to: 3),
  .migrationBlockFailed(
    underlying: SampleBlockError.coordinates, class: "Zone", objectID: ObjectID(rawValue: 17),
    primaryKey: "Europe/Andorra", from: 2, to: 3),
  .migrationBlockFailed(
    underlying: SampleBlockError.coordinates, class: nil, objectID: nil, from: 2, to: 3),
  .oldObjectIsReadOnly(class: "Zone", objectID: ObjectID(rawValue: 17)),
  .migrationValuesMissing(
    path: "zones.whimbrel",
    [
      missing("area", .unset, .codeOrNil), missing("name", .isNil, .codeOrNil),
    ], from: 2, to: 3, objectsRead: 9, hasBlock: false),
  .migrationValuesMissing(
    path: "zones.whimbrel", [missing("area", .isNil, .code), missing("name", .isNil, .code)],
    from: 2, to: 3, objectsRead: 9),
  .migrationValuesMissing(
    path: "zones.whimbrel", [missing("area", .unset, .codeOrNil)], from: 2, to: 3, objectsRead: 9),
  .migrationValuesMissing(
    path: "zones.whimbrel", [missing("area", .isNil, .code)], from: 2, to: 3, objectsRead: 9),
  .migrationValuesMissing(
    path: "zones.whimbrel",
    [missing("area", .lost(from: .int, to: .int8, value: "300"), .code)], from: 2, to: 3,
    objectsRead: 9),
  .migrationCancelled(path: "zones.whimbrel", from: 2, to: 3).reaching(reach(rewritten: 0)),
  .migrationCancelled(path: "zones.whimbrel", from: 2, to: 3).reaching(reach(rewritten: 1)),
  .migrationCancelled(path: "zones.whimbrel", from: 2, to: 3)
    .reaching(reach(rewritten: 40, step: 2, of: 3)),
  .migrationUnset(
    class: "Zone", property: "latitude", objectID: ObjectID(rawValue: 17), primaryKey: nil,
    from: 2, to: 3, objectsRead: 418
  ).reaching(reach(rewritten: 40)),
  .noSpace(path: "zones.whimbrel").reaching(reach(rewritten: 40)),
  .diskQuotaExceeded(path: "zones.whimbrel").reaching(reach(rewritten: 0, step: 2, of: 3)),
  .migrationEmbeddedShared(class: "Place", objectID: ObjectID(rawValue: 5), from: 2, to: 3),
  .migrationEmbeddedCircle(class: "Place", objectID: ObjectID(rawValue: 5), from: 2, to: 3),
  .migrationEmbeddedReferences(
    class: "Place",
    references: [
      EmbeddedReference(
        className: "Zone", property: "details", objectID: ObjectID(rawValue: 17),
        primaryKey: "Europe/Andorra", target: "Place", targetID: ObjectID(rawValue: 5),
        targetKey: nil)
    ], total: 3, from: 2, to: 3),
  .migrationEmbeddedWithoutOwner(
    class: "Place", objectID: ObjectID(rawValue: 5), from: 2, to: 3),
]

/// The errors of the types that a migration reads old objects as.
let shapeErrors: [StoreError] = [
  .shapeMismatch(
    class: "Zone",
    problems: [
      Sentence.shapeLacks("nane", known: ["name", "rank"]),
      Sentence.shapeLacks("area", known: ["name", "rank"]),
      Sentence.shapeDiffers(
        PropertySchema(name: "rank", type: .int),
        from: PropertySchema(name: "rank", type: .double, isOptional: true)),
      Sentence.shapeEmbedding(true),
      Sentence.shapeEmbedding(false),
    ]),
  .shapeAmbiguous(class: "Country", types: ["SchemaV1.Country", "SchemaV2.Country"]),
  .shapeNotDeclared(class: "Zone", type: "SchemaV1.Zone"),
  .shapeNotPaired(old: "Zone", new: "Country"),
]

private func missing(
  _ property: String, _ reason: StoreError.MissingValues.Reason,
  _ remedy: StoreError.MissingValues.Remedy
) -> StoreError.MissingValues {
  StoreError.MissingValues(
    class: "Zone", property: property, objects: ids(1), count: 3, primaryKey: nil, reason: reason,
    remedy: remedy)
}

private func reach(rewritten: Int, step: Int = 1, of steps: Int = 1) -> StoreError.MigrationReach {
  StoreError.MigrationReach(
    objectsRewritten: rewritten, step: step, stepCount: steps, version: 2)
}

/// Two changes for the errors that list changes.
let twoChanges: [SchemaChange] = [
  .propertyRetyped(class: "Person", property: "age", from: .int, to: .string),
  .propertyAdded(class: "Zone", property: "area"),
]

/// Object IDs of numbers.
func ids(_ numbers: UInt64...) -> [ObjectID] {
  numbers.map { ObjectID(rawValue: $0) }
}

/// An error that the block of a migration throws.
enum SampleBlockError: Error {
  case coordinates
}

/// The errors of online migrations.
let transitionErrors: [StoreError] = [
  .ruleSeesOneObject(class: "Country"),
  .ruleSeesOneObject(class: nil),
  .ruleSetsKeptProperty(class: "Zone", property: "identifier"),
  .ruleFailed(
    underlying: StoreError.ruleSeesOneObject(class: "Country"), class: "Zone",
    objectID: ObjectID(rawValue: 17), primaryKey: .string("Europe/Andorra"), version: 6),
  .transitionNeedsRule(
    path: "zones.whimbrel", class: "ClockChange", name: "Transition", version: 5),
  .ruleLeadsTooFar(
    path: "zones.whimbrel", class: "ClockChange", name: "Transition", version: 5, stored: 6),
  .unconvertedObject(
    class: "Zone", objectID: ObjectID(rawValue: 17), primaryKey: .string("Europe/Andorra"),
    version: 6),
  .transitionBlocked(path: "zones.whimbrel", class: "Zone", count: 2, first: ids(3, 5), keys: []),
  .transitionBlocked(
    path: "zones.whimbrel", class: "Zone", count: 12, first: ids(3, 5), keys: ["Asia/Tokyo", "UTC"]),
  .cannotMigrateOnline(
    path: "zones.whimbrel", from: 6, to: 7,
    obstacles: [
      "The primary key of 'Zone' changes.",
      "Property 'Zone.city' has no default, which objects get if the rule does not set it.",
    ]),
]
