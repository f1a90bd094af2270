import Testing
import WhimbrelEngine

/// The sentences of the errors of conditions, word by word.
struct ConditionSentenceTests {
  @Test(arguments: conditionSentences)
  func `an error says what it is about`(expected: ExpectedSentence) {
    expected.check()
  }
}

private let conditionSentences: [ExpectedSentence] = [
  .init(
    .queryMismatch,
    .notComparable(
      class: "Person", property: "age", type: "int", other: "string",
      remedy: "Compare it with a number."),
    """
    Could not query 'Person.age': 'int' cannot be compared with 'string'. Compare it with a \
    number.
    """),
  .init(
    .queryMismatch,
    .wrongComparison(class: "Person", property: "age", type: "int", comparison: "contains[c]"),
    """
    Could not query 'Person.age': values of type 'int' cannot be compared by 'contains[c]'. Ask \
    whether they are equal, or choose a property of another type.
    """),
  .init(
    .queryMismatch, .pathEnds(class: "Person", property: "name", type: "string", next: "length"),
    """
    Could not query 'length' behind 'Person.name': 'string' leads no further. End the path \
    there, or lead it through links.
    """),
  .init(
    .queryMismatch, .notAnInverse(class: "Dog", property: "age", target: "Person"),
    """
    Could not query the objects that link by 'Dog.age': it does not lead to 'Person'. Name a \
    link to 'Person'.
    """),
  .init(
    .queryMismatch, .severalValues(class: "Person", property: "tags", other: "codes"),
    """
    Could not query 'Person': both sides have several values, 'tags' and 'codes'. Compare \
    several values with a single one, or use a sub-query.
    """),
  .init(
    .queryMismatch, .severalValues(class: "Person", property: nil, other: nil),
    """
    Could not query 'Person': both sides have several values. Compare several values with a \
    single one, or use a sub-query.
    """),
  .init(
    .queryMismatch,
    .notCalculable(class: "Person", property: "name", type: "string", verb: "sum"),
    """
    Could not query 'Person.name': 'sum' does not work with values of type 'string'. Choose a \
    property of numbers.
    """),
  .init(
    .queryMismatch, .notObjects(class: "Person", property: "tags", type: "string"),
    """
    Could not query 'Person.tags': a sub-query needs objects, and the path leads to 'string'. \
    Lead the path to objects, or compare its values.
    """),
  .init(
    .queryMismatch, .noFullTextIndex(class: "Person", property: "name"),
    """
    Could not search for words in 'Person.name': it has no full-text index. Declare the \
    property '@Indexed(.fullText)'.
    """),
  .init(
    .outOfRange, .sumTooLarge(class: "Person", property: "age"),
    """
    Could not add up 'Person.age': the sum does not fit into a whole number of 64 bits. Add up \
    fewer objects, or store the numbers as 'double'.
    """),
]
