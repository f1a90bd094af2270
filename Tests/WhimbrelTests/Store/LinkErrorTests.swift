import Testing
import Whimbrel

struct LinkErrorTests {
  /// The error named only the target: "Could not use object 2 of 'Land': it has been deleted". A
  /// write that sets many links did not say which of them was meant.
  @Test func `an error about the target of a link names the property that links to it`() throws {
    let (_, store) = try townStore()
    let (_, other) = try townStore()
    let foreign = Land(code: "FR", name: "France")
    try other.write { try other.add(foreign) }
    let town = Town(code: "a", place: TownPlace(latitude: 1))
    let deleted = Town(code: "d")
    try store.write { try store.add([town, deleted]) }
    try store.write { try store.delete(deleted) }
    func expect(_ code: StoreError.Code, at path: String, _ change: () throws -> Void) throws {
      let error = try expectError(code) { try store.write(change) }
      #expect(error.context.valuePath == path)
      #expect(error.message.contains(" at '\(path)': "), "\(error)")
    }
    try expect(.objectOfOtherStore, at: "Town.land") { town.land = foreign }
    try expect(.objectOfOtherStore, at: "Town.land") {
      try store.add(Town(code: "b", land: foreign))
    }
    try expect(.objectDeleted, at: "Town.neighbors") { town.neighbors.append(deleted) }
    try expect(.objectDeleted, at: "neighbors[0]") {
      try store.create(Town.self, value: ["code": "c", "neighbors": [deleted]] as [String: Any])
    }
    try expect(.embeddedHasOwner, at: "Town.border") {
      if let place = town.place { town.border.append(place) }
    }
    try expect(.objectDeleted, at: "Town.land") {
      try store.dynamicObjects("Town")[0].set("land", to: .link(ObjectID(rawValue: 99)))
    }
  }
}
