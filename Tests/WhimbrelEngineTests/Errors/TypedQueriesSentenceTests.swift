import Testing
import WhimbrelEngine

/// The sentences of the errors of typed queries and predicates, word by word.
struct TypedQueriesSentenceTests {
  @Test(arguments: typedQueriesSentences)
  func `an error says what it is about`(expected: ExpectedSentence) {
    expected.check()
  }
}

private let typedQueriesSentences: [ExpectedSentence] = [
  .init(
    .invalidQuery, .notQueryable(class: "Zone"),
    """
    Could not query 'Zone': a key path leads to no property that is stored. Use properties \
    that the model stores, not computed ones or those marked '@Transient'.
    """),
  .init(
    .invalidQuery, .foreignObject(class: "Zone", of: "Country", isManaged: false),
    """
    Could not query 'Zone' for an object of 'Country': the object is in no store. Add the \
    object to the store first.
    """),
  .init(
    .invalidQuery, .foreignObject(class: "Zone", of: "Country", isManaged: true),
    """
    Could not query 'Zone' for an object of 'Country': the object belongs to another store. \
    Find the object in this store.
    """),
  .init(
    .invalidQuery, .severalCollections(class: "Country", collections: []),
    """
    Could not count what meets a condition in a query of 'Country': no part of it is about a \
    collection. Make every part of the condition one of the elements of the same collection.
    """),
  .init(
    .invalidQuery, .severalCollections(class: "Country", collections: ["", "zones"]),
    """
    Could not count what meets a condition in a query of 'Country': it is about more than one \
    thing:
    - the object itself
    - 'zones'
    Make every part of the condition one of the elements of the same collection.
    """),
  .init(
    .invalidQuery, .severalQuantifiers(class: "Country"),
    """
    Could not query 'Country': a path has more than one of 'all' and 'none'. Use one of them, \
    or count what meets a condition.
    """),
  .init(
    .invalidQuery, .noPath(class: "Country"),
    """
    Could not query 'Country': something that only properties have is asked of a value that \
    is worked out. Ask for it of a property.
    """),
  .init(
    .untranslatablePredicate, .untranslatablePredicate(class: "Zone", part: "IntRemainder"),
    """
    Could not translate a predicate of 'Zone': a query has no counterpart for 'IntRemainder'. \
    Leave it out, or use 'filter' on the results, which goes through the objects in Swift.
    """),
]
