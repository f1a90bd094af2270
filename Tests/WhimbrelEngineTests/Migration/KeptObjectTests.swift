import Foundation
import Synchronization
import Testing
import WhimbrelEngine

/// An app that kept an object of its migration block read memory that was gone.
@Suite struct KeptObjectTests {
  /// What a block lets out. It is used on one thread after the other.
  private final class Kept: @unchecked Sendable {
    // Safe: written by the block, and read after the migration is over.
    var old: DynamicObject?
    var new: DynamicObject?
  }

  @Test func `an object of the block is an error after it, and no crash`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "whimbrel-kept-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let name = PropertySchema(name: "name", type: .string)
    let schema = StoreSchema(classes: [ClassSchema(name: "Zone", properties: [name])])
    var request = OpenRequest(path: folder.appending(path: "Kept.whimbrel").path)
    request.declaration = Declaration(schema)
    request.schemaVersion = 1
    let session = try Session(StoreFile.open(request))
    try session.write {
      _ = try session.table("Zone").create(["name": "Europe/Andorra"], replacing: false)
    }
    session.close()

    let kept = Kept()
    request.schemaVersion = 2
    request.migration.block = { migration, _ in
      try migration.enumerateObjects(ofType: "Zone") { old, new in
        (kept.old, kept.new) = (old, new)
        let name = try old?["name", as: String.self]
        #expect(name == "Europe/Andorra")
      }
    }
    _ = try StoreFile.open(request)

    let (old, new) = (try #require(kept.old), try #require(kept.new))
    #expect { try old.value("name") } throws: { StoreError.Code.notInWrite ~= $0 }
    #expect { try new.value("name") } throws: { StoreError.Code.notInWrite ~= $0 }
    #expect { try new.set("name", to: "x") } throws: { StoreError.Code.notInWrite ~= $0 }
    #expect(old["name"] == .null)
  }
}
