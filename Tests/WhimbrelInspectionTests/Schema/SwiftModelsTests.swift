import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

/// That what is written here compiles, and has the schema that it was made of, is for
/// `ExportedModelsTests` to see, which has the same files.
struct SwiftModelsTests {
  private func models(_ properties: [PropertySchema], indexes: [IndexSchema] = []) -> String {
    let entry = SchemaExport.ClassExport(name: "A", properties: properties, indexes: indexes)
    return SwiftModels(SchemaExport(schemaVersion: 1, classes: [entry])).description
  }

  @Test func `a schema with everything becomes models`() throws {
    try StoreSchema(classes: EverySchema.declared).validate()
    let json = String(decoding: try EverySchema.export.json(), as: UTF8.self)
    try Recording.expect(json + "\n", at: "WhimbrelToolTests/Tool/Schemas/Every.json")
    try Recording.expect(
      SwiftModels(EverySchema.export).description,
      at: "WhimbrelTests/Models/Exported/EveryModels.swift")
  }

  @Test func `what Swift cannot say stands in a comment`() {
    let text = models([
      PropertySchema(name: "_", type: .int),
      PropertySchema(name: "a`\n", type: .link(to: "B")),
      PropertySchema(name: "b", type: .int, defaultValue: .generated),
      PropertySchema(name: "c", type: .int8, cases: ["x"]),
      PropertySchema(name: "d", type: .any, defaultValue: .value(.link(ObjectID(rawValue: 1)))),
    ])
    #expect(
      text == """
        // The models of schema version 1.
        import Whimbrel

        @Model
        final class A {
          @StoredName("_") var _2: Int
          // Property 'a`\\n' of type '<B>' has no name in Swift.
          // The app's code generates its default value. It is not in the file.
          var b: Int
          // Its enum has no cases that Swift can express.
          var c: Int8
          // Its default value has no counterpart in Swift.
          var d: AnyValue
        }

        """)
  }

  @Test(arguments: ["String", "Whimbrel", "class", "1st", "a-b", "", "`", "Index", "_"])
  func `a class whose name Swift has for something else gets another one`(name: String) {
    let schema = SchemaExport(
      schemaVersion: 1, classes: [SchemaExport.ClassExport(name: name, properties: [])])
    let lines = SwiftModels(schema).description.split(separator: "\n")
    #expect(lines[2] == "@Model(\"\(name)\")")
    let word = lines[3].split(separator: " ")[2]
    #expect(word != name && word.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" })
  }

  /// CSV often has a column 'Date' with dates, or 'City' in a file of cities. The models had
  /// `var Date: Date`, which `@Model` refuses because the property hides the type.
  @Test func `a property that would hide a type of its class gets another name`() {
    let text = models([
      PropertySchema(name: "A", type: .string),
      PropertySchema(name: "Date", type: .date, isOptional: true),
      PropertySchema(name: "UUID", type: .int),
      PropertySchema(name: "B", type: .list(of: ElementType(.link(to: "B")))),
      PropertySchema(name: "StoredList", type: .bool),
      PropertySchema(name: "b", type: .int),
      PropertySchema(name: "Swift", type: .int),
    ])
    #expect(
      text == """
        // The models of schema version 1.
        import Foundation
        import Whimbrel

        @Model
        final class A {
          @StoredName("A") var a: String
          @StoredName("Date") var date: Date?
          var UUID: Int
          @StoredName("B") var b2: StoredList<B>
          @StoredName("StoredList") var storedList: Bool
          var b: Int
          @StoredName("Swift") var swift: Int
        }

        """)
  }

  @Test func `names of types are not taken twice`() {
    let text = SwiftModels(
      SchemaExport(
        schemaVersion: 1,
        classes: [
          SchemaExport.ClassExport(
            name: "A", properties: [PropertySchema(name: "b", type: .string, cases: ["x"])]),
          SchemaExport.ClassExport(name: "AB", properties: []),
          SchemaExport.ClassExport(name: "StoredList", properties: []),
          SchemaExport.ClassExport(name: "StoredListModel", properties: []),
        ])
    ).description
    #expect(text.contains("enum AB2: String, PersistableEnum"))
    #expect(text.contains("@Model(\"StoredList\")\nfinal class StoredListModel {"))
    #expect(text.contains("@Model(\"StoredListModel\")\nfinal class StoredListModel2 {"))
  }
}
