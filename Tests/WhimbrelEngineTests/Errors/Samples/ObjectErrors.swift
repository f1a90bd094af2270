import WhimbrelEngine

/// The errors of objects and their values.
let objectErrors: [StoreError] = [
  .duplicatePrimaryKey(class: "Country", property: "code", key: "AD"),
  .duplicateValues(
    class: "Zone", properties: ["name", "latitude"], objectID: ObjectID(rawValue: 9),
    existing: ObjectID(rawValue: 3)),
  .missingValue(class: "Zone", property: "identifier"),
  .notInStore(verb: "freeze", class: "Zone"),
  .undeclaredValueMissing(class: "Zone", property: "identifier"),
  .nilGiven(class: "Zone", property: "identifier"),
  .nilGiven(class: "Zone", property: "comments", hasDefault: true),
  .nilGiven(class: "Zone", property: "tags", isElement: true)
    .at(valuePath: "zones[3].tags[1]"),
  .wrongKeyType(class: "Zone", property: "identifier", expected: .string, got: "int"),
  .usedByOtherThread(path: "zones.whimbrel"),
  .wrongType(class: "Zone", property: "latitude", expected: .double, got: "string"),
  .wrongType(
    class: "Zone", property: "country", expected: .link(to: "Country"), isOptional: true,
    got: "int"),
  .outOfRange(class: "Zone", property: "rank", got: "int", type: .int8),
  .outOfRange(class: "Zone", property: "rank", got: "double", type: .float),
  .primaryKeyIsFixed(class: "Zone", property: "identifier"),
  .unknownCase(class: "Zone", property: "area", known: ["africa", "asia"]),
  .unknownClass(class: "Zonne", known: ["Country", "Zone"]),
  .unknownClass(class: "Person", known: ["Country", "Zone"]),
  .unknownClass(class: "Person", known: []),
  .unlistedModel(class: "Person", known: ["Country", "Zone"]),
  .unlistedModel(class: "Person", known: []),
  .otherModel(class: "Zone", model: "App.SchemaV1.Zone", listed: "App.Zone"),
  .unknownProperty(class: "Zone", property: "lattitude", known: ["latitude", "longitude"]),
  .notInWrite(verb: "delete object 17 of 'Zone'"),
  .nestedWrite(),
  .objectDeleted(class: "Zone", objectID: ObjectID(rawValue: 17)),
  .objectDeleted(class: "Zone", objectID: ObjectID(rawValue: 17), mayBeUnfinished: true),
  .objectOfOtherStore(class: "Zone"),
  .objectOfOtherStore(class: "Zone", objectID: ObjectID(rawValue: 17)),
  .noPrimaryKey(class: "Zone"),
  .noPrimaryKey(class: "Zone", updating: true),
  .valueTooLarge(class: "Zone", property: "comments", limit: 1_000, got: 2_000),
  .wrongTypeRead(class: "Zone", property: "rank", stored: .int, wanted: "'string'"),
  .wrongTypeRead(
    class: "Zone", property: "rank", stored: .int, isOptional: true, wanted: "'string'"),
  .wrongTypeRead(
    class: "Zone", property: "rank", stored: .int, isOptional: true, isNil: true, wanted: "'int'"),
]

/// The errors of values that come from outside, and of values that go there.
let valueErrors: [StoreError] = [
  .unreadableCase(
    class: "Zone", property: "area", objectID: ObjectID(rawValue: 17), primaryKey: "Asia/Tokyo",
    stored: "atlantis", known: ["africa", "asia"]),
  .unreadableCase(
    class: "Zone", property: "areas", objectID: ObjectID(rawValue: 17), stored: nil,
    known: ["africa", "asia"]),
  .unreadableValue(
    class: "Zone", property: "area", objectID: ObjectID(rawValue: 17), primaryKey: "Asia/Tokyo"),
  .unusableValue(class: "Zone", property: "area", type: "Area"),
  .undecodableValue(
    class: "Zone", property: "place", type: "Place", reason: "'latitude' is missing",
    underlying: SampleBlockError.coordinates),
  .unencodableValue(
    class: "Zone", property: "place", underlying: SampleBlockError.coordinates),
  .notAnObject(class: "Zone", got: "int"),
  .tooManyValues(class: "Zone", count: 3, limit: 2),
  .tooManyValues(class: "Zone", count: 2, limit: 1),
  .codingCycle(class: "Zone", path: ["Zone.country", "Country.capital"], limit: 512),
  .codingCycle(
    class: "Zone",
    path: ["Zone.country"] + Array(repeating: ["Country.next", "Country.last"], count: 4).joined(),
    limit: 512),
]

/// The errors of collections and embedded objects.
let collectionErrors: [StoreError] = [
  .invalidMapKey(class: "Zone", property: "names", limit: 255, got: 0),
  .invalidMapKey(class: "Zone", property: "names", limit: 255, got: 300),
  .nestedTooDeep(class: "Zone", property: "details", limit: 100),
  .nestedTooDeep(class: "Zone", limit: 100),
  .positionOutOfBounds(class: "Zone", property: "tags", position: 3, count: 3),
  .positionOutOfBounds(class: "Zone", property: "tags", position: 1, count: 1),
  .positionOutOfBounds(class: "Zone", property: "tags", position: 0, count: 0),
  .embeddedHasOwner(class: "Place"),
  .embeddedHasOwner(class: "Place", objectID: ObjectID(rawValue: 5)),
  .embeddedReference(
    class: "Zone", property: "details", target: "Place", objectID: ObjectID(rawValue: 5)),
  .embeddedNeedsOwner(class: "Place"),
]
