import Testing
import WhimbrelEngine

/// Objects that are added under the IDs that they had.
struct RestoringTests {
  // The error named the first property as the key, and a class without properties stopped the
  // program.
  @Test(arguments: [ClassSchema("A"), ClassSchema("A", .optional("text", .string))])
  func `an error names the object ID that another object has`(_ schema: ClassSchema) throws {
    let store = try TestStore([schema])
    try store.write { session in
      let id = try session.create("A", [:])
      let table = try session.table("A")
      let error = storeError { try table.restore(id, [:]) }
      #expect(error?.code == .duplicatePrimaryKey)
      #expect(
        error?.message.contains("another object already has \(id.rawValue) as its 'object ID'")
          == true)
    }
    #expect(try store.contents().list("A").count == 1)
    #expect(try store.findings() == [])
  }
}
