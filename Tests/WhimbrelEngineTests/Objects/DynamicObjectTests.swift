import Foundation
import Testing
import WhimbrelEngine

/// Objects of a store by name: values, links and collections.
@Suite struct DynamicObjectTests {
  private let store: TestStore
  private let session: Session

  init() throws {
    store = try DynamicTestSchema.store()
    session = try store.session()
  }

  private var zone: DynamicObject { get throws { try session.dynamic("Zone", 1) } }
  private var country: DynamicObject { get throws { try session.dynamic("Country", 1) } }

  private func requireSound() throws {
    #expect(try IntegrityCheck.run(session).isEmpty)
  }

  @Test func `every kind of value is written and read back`() throws {
    let id = ObjectId("0102030405060708090a0b0c")
    let price = try #require(Decimal(string: "-12.345"))
    let zone = try zone
    try session.write {
      zone["name"] = "Pas de la Casa"
      try zone.set("price", to: price)
      try zone.set("token", to: id)
      try zone.set("country", to: country)
      zone["aliases"] = ["a", "b", "a"]
      zone["offsets"] = [60, nil, -120]
      zone["tags"] = ["x", "y", "x"]
      zone["names"] = ["en": "Andorra", "ca": "Andorra la Vella"]
      zone["note"] = ["list": [1, nil, .double(2)], "zone": try country.reference]
    }
    #expect(try zone["name", as: String.self] == "Pas de la Casa")
    #expect(try zone["price", as: Decimal?.self] == price)
    #expect(try zone["token", as: ObjectId?.self] == id)
    #expect(try zone.object("country")?.id == country.id)
    #expect(zone["aliases"] == ["a", "b", "a"])
    #expect(zone["offsets"] == [60, nil, -120])
    #expect(zone["tags"] == ["x", "y"])
    #expect(zone["names"] == ["ca": "Andorra la Vella", "en": "Andorra"])
    let reference = try country.reference
    #expect(zone["note"] == ["list": [1, nil, .double(2)], "zone": reference])
    try requireSound()
  }

  @Test func `nil is given to links and values alike`() throws {
    let zone = try zone
    let price = try session.write {
      try zone.set("country", to: country)
      try zone.set("price", to: Decimal(1))
      let before = try (zone.object("country")?.id, zone["price"])
      // It used to be ambiguous: a link, or a value.
      try zone.set("country", to: nil)
      try zone.set("price", to: nil)
      #expect(before.0 != nil && before.1 != nil)
      try zone.set("country", to: country as DynamicObject?)
      try zone.set("country", to: nil as DynamicObject?)
      return zone["price"]
    }
    #expect(try zone.object("country") == nil && price == nil)
    try requireSound()
  }

  // A link was set by the bare ID, to whatever object of the property's class has it here.
  @Test func `a link by name takes objects of its class and store only`() throws {
    let (country, zone) = (try country, try zone)
    let other = try DynamicTestSchema.store()
    let foreign = try other.session().dynamic("Country", 1)
    try session.write {
      #expect { try zone.set("country", to: foreign) } throws: {
        StoreError.Code.objectOfOtherStore ~= $0
      }
      #expect { try zone.set("country", to: zone) } throws: {
        StoreError.Code.wrongType ~= $0 && "\($0)".contains("was given '<Zone>'")
      }
      #expect(try zone.object("country") == nil)
      try zone.set("country", to: country)
    }
    #expect(try zone.object("country")?.id == country.id)
    try requireSound()
  }

  @Test func `a list is changed element by element`() throws {
    let list = try zone.list("aliases")
    try session.write {
      try list.append(contentsOf: ["b", "d"])
      try list.insert("a", at: 0)
      try list.insert("c", at: 2)
      try list.replace(at: 3, with: "D")
      try list.move(from: 3, to: 0)
    }
    #expect(try list.values() == ["D", "a", "b", "c"])
    try session.write { try list.remove(at: 1) }
    #expect(try list.count() == 3)
    #expect(try list.value(at: 1) == "b")
    try session.write { try list.removeAll() }
    #expect(try list.values() == [])
    try requireSound()
  }

  @Test func `a set keeps each element once, in order`() throws {
    let set = try zone.set("tags")
    try session.write {
      var changes = [try set.insert("b"), try set.insert("a"), try set.insert("b")]
      // The same text in another form of Unicode.
      changes += [try set.insert("\u{E9}"), try set.insert("e\u{301}")]
      changes += [try set.remove("a"), try set.remove("a")]
      #expect(changes == [true, true, false, true, false, true, false])
    }
    #expect(try set.values() == ["b", "\u{E9}"])
    #expect(try set.contains("e\u{301}"))
    try requireSound()
  }

  @Test func `a map finds its keys`() throws {
    let map = try zone.map("names")
    let keys = ["", String(repeating: "k", count: 16_385)]
    try session.write {
      for number in 0..<500 { try map.set(.string("v\(number)"), forKey: "key \(number)") }
      try map.set("new", forKey: "key 7")
      let removals = [try map.remove(forKey: "key 8"), try map.remove(forKey: "key 8")]
      #expect(removals == [true, false])
      for key in keys {
        #expect { try map.set("x", forKey: key) } throws: { StoreError.Code.invalidMapKey ~= $0 }
      }
      try map.set("odd", forKey: "\u{0} .$\n\"")
    }
    #expect(try map.count() == 500)
    #expect(try map.value(forKey: "key 7") == "new")
    #expect(try map.value(forKey: "key 8") == nil)
    #expect(try map.value(forKey: "\u{0} .$\n\"") == "odd")
    #expect(try map.keys().first == "\u{0} .$\n\"")
    try requireSound()
  }

  @Test func `links in collections lead to objects, and go with them`() throws {
    let (country, zone) = (try country, try zone)
    let other = try session.dynamic("Zone", 2)
    try session.write {
      try country.list("zones").append(contentsOf: [zone.link, other.link, zone.link])
      try country.set("partners").insert(country.link)
      try country.map("capitals").set(zone.link, forKey: "first")
      other["note"] = [1, zone.reference]
    }
    #expect(try country.list("zones").object(at: 1)?.id == other.id)
    #expect(try country.list("zones").objects().map(\.id) == [zone.id, other.id, zone.id])
    #expect(try country.set("partners").objects().map(\.id) == [country.id])
    #expect(try country.map("capitals").object(forKey: "first")?.id == zone.id)
    #expect(
      try zone.linkingObjects(ofType: "Country", property: "zones").map(\.id)
        == [country.id])
    try requireSound()
    try session.write { try session.table("Zone").remove(zone.id) }
    #expect(country["zones"] == [other.link])
    #expect(country["capitals"] == [:])
    #expect(other["note"] == [1, nil])
    try requireSound()
    try session.write { try session.table("Country").remove(country.id) }
    try requireSound()
  }

  @Test func `a property is found once for all objects of a class`() throws {
    let name = try zone.property("name")
    try session.write { try zone.set(name, to: "N") }
    #expect(try zone.value(name) == "N")
    #expect(try zone[name, as: String.self] == "N")
    // The country has it in another place.
    #expect(try country.value(name) == "Andorra")
  }

  // Foundation's description of a date that is not a number stops the program.
  @Test func `a value is printed as in code`() {
    #expect("\(PropertyValue.string("a\"b"))" == #""a\"b""#)
    #expect("\(PropertyValue.list([1, nil, true]))" == "[1, nil, true]")
    #expect("\(PropertyValue.map(["b": 2, "a": 1.5]))" == #"["a": 1.5, "b": 2]"#)
    let date = Date(timeIntervalSinceReferenceDate: .nan)
    #expect("\(PropertyValue.date(date))" == "nan seconds since 2001")
  }

  @Test func `what cannot be is an error that says so`() throws {
    let (country, zone) = (try country, try zone)
    #expect { try zone.set("name", to: "x") } throws: { StoreError.Code.notInWrite ~= $0 }
    #expect { try zone.list("name") } throws: { StoreError.Code.wrongType ~= $0 }
    #expect { try zone.map("tags") } throws: { StoreError.Code.wrongType ~= $0 }
    #expect { try zone.list("nme") } throws: { StoreError.Code.unknownProperty ~= $0 }
    try session.write {
      let list = try zone.list("offsets")
      #expect { try list.append("text") } throws: { StoreError.Code.wrongType ~= $0 }
      #expect { try list.append(40_000) } throws: { StoreError.Code.outOfRange ~= $0 }
      #expect { try list.remove(at: 0) } throws: { StoreError.Code.positionOutOfBounds ~= $0 }
      #expect { try list.insert(1, at: 1) } throws: {
        "\($0)".contains("Could not use element 1 of 'Zone.offsets': the collection has 0 elements")
      }
      #expect { try zone.list("aliases").append(nil) } throws: {
        StoreError.Code.wrongType ~= $0
      }
      // The error told to make the list optional, which no list can be.
      #expect { try zone.set("aliases", to: nil) } throws: {
        StoreError.Code.wrongType ~= $0 && "\($0)".contains("'[string]'")
      }
      #expect { try country.set("code", to: "X") } throws: {
        StoreError.Code.primaryKeyIsFixed ~= $0
      }
      let gone = PropertyValue.link(ObjectID(rawValue: 99))
      #expect { try country.list("zones").append(gone) } throws: {
        StoreError.Code.objectDeleted ~= $0
      }
      #expect { try zone.set("country", to: gone) } throws: {
        StoreError.Code.objectDeleted ~= $0
      }
    }
    try requireSound()
  }
}

/// Embedded objects that are made by name, before anything leads to them.
@Suite struct DynamicEmbeddedTests {
  private static let classes = [
    ClassSchema("Zone", .link("place", to: "Place")),
    ClassSchema(name: "Place", isEmbedded: true, properties: [.link("inner", to: "Place")]),
  ]

  @Test func `an embedded object that belongs to nothing when the write ends is an error`() throws {
    let store = try TestStore(Self.classes)
    let session = try store.session()
    #expect { try session.write { try session.create("Place", [:]) } } throws: {
      StoreError.Code.embeddedNeedsOwner ~= $0
    }
    // Nor may two belong to each other, or one to itself.
    #expect {
      try session.write {
        let first = try session.create("Place", [:])
        let second = try session.create("Place", ["inner": .link(first)])
        try session.dynamic("Place", first.rawValue).set("inner", to: .link(second))
      }
    } throws: { StoreError.Code.embeddedNeedsOwner ~= $0 }
    #expect {
      try session.write {
        let place = try session.create("Place", [:])
        try session.dynamic("Place", place.rawValue).set("inner", to: .link(place))
      }
    } throws: { StoreError.Code.embeddedNeedsOwner ~= $0 }
    #expect(try session.table("Place").count() == 0)
  }

  @Test func `an embedded object is made first and linked to then`() throws {
    let store = try TestStore(Self.classes)
    let session = try store.session()
    try session.write {
      let inner = try session.create("Place", [:])
      let place = try session.create("Place", ["inner": .link(inner)])
      try session.create("Zone", ["place": .link(place)])
    }
    #expect(try session.table("Place").count() == 2)
    #expect(try IntegrityCheck.run(session).isEmpty)
  }
}
