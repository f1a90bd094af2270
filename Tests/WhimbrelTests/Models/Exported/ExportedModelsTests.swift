import Foundation
import Testing
import Whimbrel
import WhimbrelEngine

/// `EveryModels.swift` is what `whimbrel schema --swift` makes of the schema in `Every.json`,
/// which the tests of the inspector keep: it compiles, and has that schema again.
struct ExportedModelsTests {
  /// The part of an exported schema that models have.
  private struct Export: Decodable {
    let classes: [Class]

    struct Class: Decodable {
      let name: String
      let declared: Bool?
      let embedded: Bool?
      let properties: [PropertySchema]
      let indexes: [IndexSchema]?
    }
  }

  @Test func `models made of a schema have that schema`() throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../WhimbrelToolTests/Tool/Schemas/Every.json")
    let export = try JSONDecoder().decode(Export.self, from: Data(contentsOf: url))
    let expected = export.classes.filter { $0.declared != false }.map { entry in
      ClassSchema(
        name: entry.name, isEmbedded: entry.embedded ?? false, properties: entry.properties,
        indexes: entry.indexes ?? [])
    }
    let models: [any Model.Type] = [
      Empty.self, Every.self, Größe.self, StoredListModel.self, Piece.self,
    ]
    // As texts, for a NaN is not equal to itself.
    let found = models.map { $0._$schema.classSchema.fingerprintText }
    #expect(found.sorted() == expected.map(\.fingerprintText).sorted())
    #expect(found.count == 5)
  }
}
