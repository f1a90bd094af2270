import Foundation
import Testing
import WhimbrelEngine

/// What programs see of an error.
struct StoreErrorTests {
  @Test func `a code catches its own errors`() {
    var caught = ""
    do {
      throw StoreError.fileNotFound(path: "zones.whimbrel")
    } catch StoreError.Code.emptyFile {
      caught = "the wrong one"
    } catch StoreError.Code.fileNotFound {
      caught = "the right one"
    } catch {
      caught = "none"
    }
    #expect(caught == "the right one")
  }

  @Test func `a code does not catch errors of other types`() {
    let error: any Error = SampleBlockError.coordinates
    #expect(!(StoreError.Code.migrationBlockFailed ~= error))
  }

  @Test func `codes have names`() {
    #expect(StoreError.Code.fileNotFound.description == "fileNotFound")
    #expect(StoreError.Code.fileNotFound != .emptyFile)
  }

  @Test func `an error keeps its facts`() {
    let error = StoreError.migrationUnset(
      class: "Zone", property: "latitude", objectID: ObjectID(rawValue: 17),
      primaryKey: "Europe/Andorra", from: 2, to: 3, objectsRead: 418)
    #expect(error.context.className == "Zone")
    #expect(error.context.propertyName == "latitude")
    #expect(error.context.objectID == ObjectID(rawValue: 17))
    #expect(error.context.primaryKey == "Europe/Andorra")
    #expect(error.context.storedVersion == 2)
    #expect(error.context.declaredVersion == 3)
    #expect(error.context.count == 418)
    #expect(error.context.path == nil)
  }

  @Test func `lists of facts are kept whole`() {
    let mismatch = StoreError.schemaMismatch(path: "z", version: 4, changes: twoChanges)
    #expect(mismatch.context.changes == twoChanges)
    #expect(mismatch.context.path == "z")
    let problems = ["One.", "Two."]
    #expect(StoreError.invalidSchema(problems: problems).context.problems == problems)
    let duplicates = StoreError.migrationDuplicateKeys(
      class: "Zone", property: "identifier", duplicates: [("a", ids(1, 5)), ("b", ids(2, 3))],
      total: 2, from: 2, to: 3)
    #expect(duplicates.context.objectIDs == ids(1, 5, 2, 3))
    #expect(StoreError.ioError(path: "z", number: 5).context.systemErrorNumber == 5)
  }

  @Test func `the error of a block is kept`() throws {
    let error = StoreError.migrationBlockFailed(
      underlying: SampleBlockError.coordinates, class: nil, objectID: nil, from: 2, to: 3)
    #expect(error.underlying as? SampleBlockError == .coordinates)
    #expect(StoreError.nestedWrite().underlying == nil)
  }

  @Test func `an error knows where it was made`() {
    let line = #line + 1
    let error = StoreError.nestedWrite()
    #expect(error.location.line == line)
    #expect(error.location.file.hasSuffix("/StoreErrorTests.swift"))
    #expect(error.debugDescription.contains("(nestedWrite, "))
  }

  @Test func `Foundation shows the same words`() {
    let error: any Error = StoreError.fileNotFound(path: "zones.whimbrel")
    #expect(error.localizedDescription == String(describing: error))
    let localized = error as? any LocalizedError
    #expect(
      localized?.recoverySuggestion
        == "Check the path. Opening a store for writing creates the file.")
    #expect(localized?.failureReason?.hasPrefix("Could not open") == true)
  }

  @Test func `an error takes one word`() {
    #expect(MemoryLayout<StoreError>.size == MemoryLayout<Int>.size)
  }

  @Test func `a name of a damaged file cannot forge lines`() {
    let error = StoreError.missingValue(class: "Zone\n- Forged", property: "a\u{1B}[2J")
    #expect(!error.description.contains("\n"))
    #expect(!error.description.contains("\u{1B}"))
    #expect(error.description.contains(#"'Zone\n- Forged'"#))
  }

  /// Only control characters were escaped, so that a name could turn the rest of the message round.
  @Test func `a name cannot change the direction of a message`() {
    let error = StoreError.missingValue(class: "Zone\u{202E}", property: "a\u{2067}\u{2028}")
    #expect(error.description.contains(#"Zone\u{202E}"#))
    #expect(error.description.contains(#"a\u{2067}\u{2028}"#))
  }

  @Test func `a long primary key is cut`() {
    let key = PropertyValue.string(String(repeating: "k", count: 5_000))
    let error = StoreError.duplicatePrimaryKey(class: "Zone", property: "identifier", key: key)
    #expect(error.description.utf8.count < 400)
    #expect(error.context.primaryKey?.count == 101)
  }

  @Test func `values that are no keys stay out of errors`() {
    let secret = PropertyValue.data(Data("secret".utf8))
    let error = StoreError.duplicatePrimaryKey(class: "Zone", property: "p", key: secret)
    #expect(!error.description.contains("secret"))
    #expect(error.description.contains("of type data"))
  }
}
