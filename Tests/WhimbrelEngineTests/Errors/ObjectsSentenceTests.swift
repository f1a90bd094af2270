import Foundation
import Testing
import WhimbrelEngine

/// The sentences of the errors of objects, word by word.
struct ObjectsSentenceTests {
  @Test(arguments: objectsSentences)
  func `an error says what it is about`(expected: ExpectedSentence) {
    expected.check()
  }
}

private let objectsSentences: [ExpectedSentence] = [
  .init(
    .duplicatePrimaryKey, .duplicatePrimaryKey(class: "Country", property: "code", key: "AD"),
    """
    Could not add an object of 'Country': another object has the same 'code', 'AD'. Choose \
    another key, or pass 'update: .modified' to change the existing object.
    """),
  .init(
    .duplicatePrimaryKey,
    .duplicatePrimaryKey(
      class: "Country", property: "number", key: 20, existing: ObjectID(rawValue: 3)),
    """
    Could not add an object of 'Country': object 3 has the same 'number', 20. Choose another \
    key, or pass 'update: .modified' to change the existing object.
    """),
  .init(
    .duplicateValues,
    .duplicateValues(
      class: "Zone", properties: ["name", "latitude"], values: ["Rome", .double(1.5)],
      objectID: ObjectID(rawValue: 9), existing: ObjectID(rawValue: 3)),
    """
    Could not write object 9 of 'Zone': object 3 has the same 'name', 'Rome', and 'latitude', \
    1.5. Give it another value, or declare the index without '.unique'.
    """),
  .init(
    .missingValue, .missingValue(class: "Zone", property: "identifier"),
    """
    Could not add an object of 'Zone': its property 'identifier' has no value. Set it, \
    declare a default value, or make it optional.
    """),
  .init(
    .missingValue, .undeclaredValueMissing(class: "Zone", property: "identifier"),
    """
    Could not add an object of 'Zone': its property 'identifier', which this app does not \
    declare, has no default value. Add the object with the version of the app that has brought \
    the property.
    """),
  .init(
    .missingValue, .nilGiven(class: "Zone", property: "identifier"),
    """
    Could not set 'Zone.identifier': nil was given, and the property is not optional. Give it a \
    value, or make the property optional.
    """),
  .init(
    .missingValue, .nilGiven(class: "Zone", property: "comments", hasDefault: true),
    """
    Could not set 'Zone.comments': nil was given, and the property is not optional; its default \
    value is for objects that get no value. Leave the key out to get the default value, or make \
    the property optional.
    """),
  .init(
    .missingValue,
    .nilGiven(class: "Zone", property: "tags", isElement: true)
      .at(valuePath: "zones[3].tags[1]"),
    """
    Could not set 'Zone.tags' at 'zones[3].tags[1]': nil was given for an element, and the \
    elements are not optional. Leave the element out, or declare a collection of optionals.
    """),
  .init(
    .wrongType,
    .wrongKeyType(class: "Zone", property: "identifier", expected: .string, got: "int"),
    """
    Could not look up an object of 'Zone' by its primary key: 'identifier' holds 'string' and was \
    given 'int'. Give a key of the type of the property.
    """),
  .init(
    .storeClosed, .usedByOtherThread(path: "zones.whimbrel"),
    """
    Could not use the store at 'zones.whimbrel': it was opened on another thread, which is \
    writing to it now. Open a store on each thread, and use objects and results only with their \
    own store.
    """),
  .init(
    .wrongType, .wrongType(class: "Zone", property: "latitude", expected: .double, got: "string"),
    """
    Could not set 'Zone.latitude': it holds 'double' and was given 'string'. Give it a value \
    of its own type.
    """),
  .init(
    .wrongType,
    .wrongType(
      class: "Zone", property: "country", expected: .link(to: "Country"), isOptional: true,
      got: "int"),
    """
    Could not set 'Zone.country': it holds '<Country>?' and was given 'int'. Give it a value \
    of its own type.
    """),
  .init(
    .outOfRange, .outOfRange(class: "Zone", property: "rank", got: "int", type: .int8),
    """
    Could not set 'Zone.rank': the 'int' does not fit into 'int8', which holds -128 to 127. \
    Give it a number that fits, or declare a wider type.
    """),
  .init(
    .outOfRange, .outOfRange(class: "Zone", property: "rank", got: "double", type: .float),
    """
    Could not set 'Zone.rank': the 'double' does not fit into 'float'. Give it a number that \
    fits, or declare a wider type.
    """),
  .init(
    .primaryKeyIsFixed, .primaryKeyIsFixed(class: "Zone", property: "identifier"),
    """
    Could not set 'Zone.identifier': it is the primary key of an object that is in a store. Add a \
    new object with that key and delete this one, or change keys in a migration.
    """),
  .init(
    .outOfRange, .unknownCase(class: "Zone", property: "area", known: ["africa", "asia"]),
    """
    Could not set 'Zone.area': the value is none of the enum's cases: 'africa', 'asia'. Give it \
    the raw value of a case, or add the case.
    """),
  .init(
    .unknownClass, .unknownClass(class: "Zonne", known: ["Country", "Zone"]),
    """
    Could not find the class 'Zonne': the schema does not have it. Did you mean 'Zone'?
    """),
  .init(
    .unknownClass, .unknownClass(class: "Person", known: ["Country", "Zone"]),
    """
    Could not find the class 'Person': the schema does not have it. The classes are \
    'Country', 'Zone'.
    """),
  .init(
    .unknownClass, .unknownClass(class: "Person", known: []),
    """
    Could not find the class 'Person': the schema does not have it. There are no classes.
    """),
  .init(
    .unknownProperty,
    .unknownProperty(class: "Zone", property: "lattitude", known: ["latitude", "longitude"]),
    """
    Could not find the property 'lattitude' of 'Zone': the class does not have it. Did you \
    mean 'latitude'?
    """),
  .init(
    .notInWrite, .notInWrite(verb: "delete object 17 of 'Zone'"),
    """
    Could not delete object 17 of 'Zone': no write is in progress. Do it inside of \
    'store.write { }'.
    """),
  .init(
    .nestedWrite, .nestedWrite(),
    """
    Could not begin a write: one is in progress on this thread. Make both changes in the \
    same write.
    """),
  .init(
    .objectDeleted, .objectDeleted(class: "Zone", objectID: ObjectID(rawValue: 17)),
    """
    Could not use object 17 of 'Zone': it has been deleted. Find the object again before you \
    use it.
    """),
  .init(
    .objectOfOtherStore, .objectOfOtherStore(class: "Zone"),
    """
    Could not use an object of 'Zone': it belongs to another store. Find the object in this \
    store, or create a copy of it here.
    """),
  .init(
    .objectOfOtherStore, .objectOfOtherStore(class: "Zone", objectID: ObjectID(rawValue: 17)),
    """
    Could not use object 17 of 'Zone': it belongs to another store. Find the object in this \
    store, or create a copy of it here.
    """),
  .init(
    .noPrimaryKey, .noPrimaryKey(class: "Zone"),
    """
    Could not look up an object of 'Zone' by its primary key: the class has no primary key. \
    Mark a property with '@PrimaryKey', or use a query.
    """),
  .init(
    .valueTooLarge, .valueTooLarge(class: "Zone", property: "comments", limit: 1_000, got: 2_000),
    """
    Could not set 'Zone.comments': the value takes 2000 bytes and at most 1000 are allowed. \
    Keep it in a file of its own, and store the path.
    """),
]
