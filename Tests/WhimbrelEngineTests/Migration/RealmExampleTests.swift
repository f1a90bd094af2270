import Testing
import WhimbrelEngine

/// The example that Realm's users learnt migrations from: six versions of persons and
/// their pets, each of which is brought to the last in one step.
struct RealmExampleTests {
  private static let names = [
    ClassSchema(
      "Person", .required("firstName", .string), .required("lastName", .string),
      .required("age", .int))
  ]
  private static let dog = ClassSchema("Dog", .required("name", .string))
  private static let pet = ClassSchema("Pet", .required("name", .string), .required("kind", .int))
  private static let address = ClassSchema(
    "Address", .required("street", .string), .required("city", .string))

  private static func person(_ more: PropertySchema...) -> ClassSchema {
    ClassSchema(
      name: "Person", properties: [.required("fullName", .string), .required("age", .int)] + more)
  }

  private static let pets = PropertySchema.list("pets", .link(to: "Pet"))
  private static let home = PropertySchema.link("address", to: "Address")

  static let versions: [[ClassSchema]] = [
    names,
    [person()],
    [person(.list("dogs", .link(to: "Dog"))), dog],
    [person(pets), pet],
    [person(pets, home), pet, address],
    [
      person(pets, home), pet,
      ClassSchema(name: "Address", isEmbedded: true, properties: address.properties),
    ],
  ]

  /// From any version to the last.
  private static let migrate: MigrationBlock = { migration, version in
    if version < 1 {
      try migration.enumerateObjects(ofType: "Person") { old, new in
        guard let old, let new else { return }
        let first = try old["firstName", as: String.self]
        try new.set("fullName", to: "\(first) \(try old["lastName", as: String.self])")
      }
    }
    if version < 2 {
      try migration.enumerateObjects(ofType: "Person") { _, new in
        let dogs = ["John Doe": ["Marley", "Lassie"], "Jane Doe": ["Toto"]]
        for name in dogs[try #require(new)["fullName", as: String.self]] ?? [] {
          let pet = try migration.create("Pet", ["name": .string(name), "kind": 1])
          try new?.list("pets").append(.link(pet.id))
        }
      }
      try migration.create("Pet", ["name": "Slinkey", "kind": 1])
    }
    if version == 2 {
      try migration.renameClass(from: "Dog", to: "Pet")
      try migration.renameProperty(onType: "Person", from: "dogs", to: "pets")
      try migration.enumerateObjects(ofType: "Pet") { _, new in new?["kind"] = 1 }
    }
    if version < 4 {
      try migration.enumerateObjects(ofType: "Person") { _, new in
        guard new?["fullName"] == "John Doe" else { return }
        let address = try migration.create(
          "Address", ["street": "Broadway", "city": "New York"])
        try new?.set("address", to: address)
      }
    }
  }

  /// A file of a version, as the apps of the time wrote it.
  private func store(_ version: Int) throws -> TestStore {
    try TestStore(Self.versions[version], version: SchemaVersion(UInt64(version))) {
      session in
      let dogs = ["John Doe": ["Marley", "Lassie"], "Jane Doe": ["Toto"]]
      func makePet(_ name: String) throws -> PropertyValue {
        .link(
          version == 2
            ? try session.create("Dog", ["name": .string(name)])
            : try session.create("Pet", ["name": .string(name), "kind": 1]))
      }
      for (first, last, age) in [("John", "Doe", 42), ("Jane", "Doe", 43), ("John", "Smith", 44)] {
        var values: [String: PropertyValue] = ["age": .int(Int64(age))]
        if version == 0 {
          (values["firstName"], values["lastName"]) = (.string(first), .string(last))
        } else {
          values["fullName"] = .string("\(first) \(last)")
        }
        if version >= 2 {
          let pets = try (dogs["\(first) \(last)"] ?? []).map(makePet)
          values[version == 2 ? "dogs" : "pets"] = .list(pets)
        }
        if version >= 4, (first, last) == ("John", "Doe") {
          values["address"] = .link(
            try session.create("Address", ["street": "Broadway", "city": "New York"]))
        }
        try session.create("Person", values)
      }
      if version >= 2 { _ = try makePet("Slinkey") }
    }
  }

  @Test(arguments: 0..<6)
  func `a file of every version is brought to the last`(_ version: Int) throws {
    let store = try store(version)
    try store.open(Self.versions[5], version: 5, Self.migrate)
    let contents = try store.contents()
    #expect(contents.version == 5)
    #expect(contents.values("Person", "fullName") == ["John Doe", "Jane Doe", "John Smith"])
    #expect(contents.values("Person", "age") == [42, 43, 44])
    let pets = contents.values("Person", "pets").map { value in
      value.linkTargets.compactMap { target -> PropertyValue? in
        guard case .object(let id) = target else { return nil }
        return contents.objects["Pet"]?[id.rawValue]?["name"]
      }
    }
    #expect(pets == [["Marley", "Lassie"], ["Toto"], []])
    #expect(contents.list("Pet").count == 4 && Set(contents.values("Pet", "kind")) == [1])
    #expect(contents.values("Address", "city") == ["New York"])
    #expect(contents.catalog["Address"]?.isEmbedded == true)
    #expect(try store.findings() == [])
    #expect(try store.tableNames() == contents.tableNames)
  }
}
