import Testing
import WhimbrelEngine

/// An error and all that it should say.
struct ExpectedSentence: Sendable, CustomTestStringConvertible {
  let code: StoreError.Code
  let error: StoreError
  let sentence: String

  init(_ code: StoreError.Code, _ error: StoreError, _ sentence: String) {
    self.code = code
    self.error = error
    self.sentence = sentence
  }

  var testDescription: String { sentence }

  /// Checks the code, the words, and that both parts of them are sentences.
  func check(sourceLocation: Testing.SourceLocation = #_sourceLocation) {
    #expect(error.code == code, sourceLocation: sourceLocation)
    #expect(error.description == sentence, sourceLocation: sourceLocation)
    #expect(error.message.hasPrefix("Could not "), sourceLocation: sourceLocation)
    let last = error.recovery.last
    #expect(last == "." || last == "?", sourceLocation: sourceLocation)
  }
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
