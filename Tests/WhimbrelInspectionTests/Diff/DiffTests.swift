import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct DiffTests {
  let folder: TestFolder
  let old: String
  let new: String

  init() throws {
    folder = try TestFolder()
    old = folder.path("old.whimbrel")
    new = folder.path("new.whimbrel")
  }

  /// Makes two stores, of which the second is the first with a change.
  private func make(
    _ classes: [ClassSchema], _ fill: (Session) throws -> Void,
    then change: (Session) throws -> Void
  ) throws {
    try makeStore(at: old, classes, fill)
    try copyStore(old, new)
    try makeStore(at: new, classes, change)
  }

  @Test func `objects are added, removed and changed`() throws {
    try make([Sample.country, Sample.zone], Sample.fill) { session in
      let zones = try session.table("Zone")
      let kathmandu = try #require(try zones.find("Asia/Kathmandu"))
      let andorra = try #require(try zones.find("Europe/Andorra"))
      try zones.remove(kathmandu)
      try zones.update(andorra) { encoder in
        try encoder.set(1, .double(42.625))
        try encoder.set(2, .null)
      }
      _ = try zones.create(
        ["identifier": "Asia/Tokyo", "latitude": 35.5, "area": "asia"], replacing: false)
    }
    #expect(
      try diffText(old, new) == """
        Zone: 1 added, 1 removed, 1 changed
        - Zone Asia/Kathmandu
        + Zone Asia/Tokyo
        ~ Zone Europe/Andorra
            latitude: 42.5 → 42.625
            country: AD → null

        """)
    #expect(
      try diffText(old, new, style: .json) == """
        {"class":"Country","added":0,"removed":0,"changed":0,"same":1}
        {"class":"Zone","added":1,"removed":1,"changed":1,"same":0}
        {"change":"removed","class":"Zone","key":"Asia/Kathmandu"}
        {"change":"added","class":"Zone","key":"Asia/Tokyo"}
        {"change":"changed","class":"Zone","key":"Europe/Andorra","properties":[\
        {"property":"latitude","old":42.5,"new":42.625},\
        {"property":"country","old":{"class":"Country","key":"AD"},"new":null}]}

        """)
    #expect(
      try diffText(old, new, style: .statistics) == """
        class    added  removed  changed  same
        Country      0        0        0     1
        Zone         1        1        1     0

        """)
    #expect(
      try diffText(old, new, limit: 1) == """
        Zone: 1 added, 1 removed, 1 changed
        - Zone Asia/Kathmandu
        … 2 more

        """)
    let options = StoreDiff.Options(
      classes: ["Zone"], ignoredProperties: ["Zone.latitude", "Zone.country"])
    #expect(try diffText(old, new, options).contains("1 added, 1 removed, 1 unchanged"))
    #expect(try diffText(old, new, StoreDiff.Options(classes: ["Country"])) == "")
  }

  @Test func `a store does not differ from itself, nor from what is loaded from its dump`() throws {
    try Sample.make(at: old)
    #expect(try diffText(old, old) == "")
    try load(dump(old), into: new)
    #expect(try diffText(old, new) == "")
  }

  @Test func `objects are told by their keys, whatever their IDs, and links by what they lead to`()
    throws
  {
    try Sample.make(at: old)
    try makeStore(at: new, [Sample.country, Sample.zone], version: 4) { session in
      // Other IDs for the same objects.
      let countries = try session.table("Country")
      try countries.remove(countries.create(["code": "XX", "name": ""], replacing: false))
      let andorra = try countries.create(["code": "AD", "name": "Andorra"], replacing: false)
      for (key, area) in [("Asia/Kathmandu", "asia"), ("Europe/Andorra", "europe")] {
        _ = try session.table("Zone").create(
          [
            "identifier": .string(key), "latitude": area == "asia" ? 27.75 : 42.5,
            "area": .string(area), "country": area == "asia" ? .null : .link(andorra),
            "comments": area == "asia" ? "a \"b\"" : "",
          ], replacing: false)
      }
    }
    #expect(try diffText(old, new) == "")
  }

  @Test func `values are compared to the bit`() throws {
    let schema = ClassSchema(
      name: "Number", properties: [PropertySchema(name: "value", type: .double)])
    try make([schema]) { session in
      for value in [Double.nan, 0, -0.0] {
        _ = try session.table("Number").create(["value": .double(value)], replacing: false)
      }
    } then: { session in
      let table = try session.table("Number")
      try table.update(ObjectID(rawValue: 1)) { try $0.set(0, .double(.nan)) }
      try table.update(ObjectID(rawValue: 2)) { try $0.set(0, .double(-0.0)) }
    }
    #expect(
      try diffText(old, new) == """
        Number: 1 changed, 2 unchanged
        ~ Number id:2
            value: 0.0 → -0

        """)
  }

  /// The line was 'string "café" → string "café"'.
  @Test func `texts that look the same show their scalars`() throws {
    let schema = ClassSchema(
      name: "Note", properties: [PropertySchema(name: "text", type: .string)])
    try make([schema]) { session in
      _ = try session.table("Note").create(["text": "caf\u{E9}"], replacing: false)
    } then: { session in
      let text = PropertyValue.string("cafe\u{301}")
      try session.table("Note").update(ObjectID(rawValue: 1)) { try $0.set(0, text) }
    }
    #expect(
      try diffText(old, new) == #"""
        Note: 1 changed
        ~ Note id:1
            text: "caf\u{00E9}" → "cafe\u{0301}"

        """#)
  }

  @Test func `long texts show where they differ`() throws {
    let schema = ClassSchema(
      name: "Note", properties: [PropertySchema(name: "text", type: .string)])
    let text = String(repeating: "all work and no play ", count: 20)
    try make([schema]) { session in
      _ = try session.table("Note").create(["text": .string(text)], replacing: false)
    } then: { session in
      var changed = text
      changed.insert(
        contentsOf: "\u{1B}[31mless ", at: changed.index(changed.startIndex, offsetBy: 204))
      try session.table("Note").update(ObjectID(rawValue: 1)) { try $0.set(0, .string(changed)) }
    }
    let shown = try diffText(old, new)
    #expect(
      shown == #"""
        Note: 1 changed
        ~ Note id:1
            text: … work and no play all wo… → … work and no\u001b[31mless  play all wo…

        """#)
  }

  @Test func `names that are no class or property are suggested`() throws {
    try Sample.make(at: old)
    do {
      _ = try diffText(old, old, StoreDiff.Options(classes: ["Zon"]))
      Issue.record("There is no such class.")
    } catch let error as StoreError {
      #expect(error.recovery == "Did you mean 'Zone'?")
    }
    do {
      _ = try diffText(old, old, StoreDiff.Options(ignoredProperties: ["Zone.comment"]))
      Issue.record("There is no such property.")
    } catch let error as StoreError {
      #expect(error.recovery == "Did you mean 'comments'?")
    }
    #expect(throws: InspectionError.self) {
      try diffText(old, old, StoreDiff.Options(ignoredProperties: ["comments"]))
    }
  }

  @Test func `a comparison can be cancelled`() throws {
    let schema = ClassSchema(name: "A", properties: [PropertySchema(name: "b", type: .int)])
    try makeStore(at: old, [schema]) { session in
      for number in 0..<1_000 {
        _ = try session.table("A").create(["b": .int(Int64(number))], replacing: false)
      }
    }
    let inspector = try StoreInspector(path: old)
    let diff = try StoreDiff(
      from: inspector, to: inspector, monitor: WorkMonitor(isCancelled: { true }))
    do {
      _ = try diff.classCounts()
      Issue.record("It went on.")
    } catch InspectionError.Code.cancelled {}
  }

  /// The error named the temporary store into which the dump was loaded.
  @Test func `the load of a dump to compare is cancelled with the name of the dump`() throws {
    try Sample.make(at: old)
    let path = old + ".jsonl"
    try Data(dump(old).utf8).write(to: URL(filePath: path))
    let error = #expect(throws: InspectionError.self) {
      try ComparedStore(path: path, monitor: WorkMonitor(isCancelled: { true }))
    }
    #expect(error?.message == "Could not read the dump '\(path)': it was cancelled.")
  }

  @Test(arguments: ["Andorra", "Europe/Andorra\0\0"])
  func `damage is an error, and no difference`(text: String) throws {
    try Sample.make(at: old)
    var bytes = Array(try #require(folder.contents("old.whimbrel")))
    let text = Array(text.utf8)
    // The first is in a record, and the second is a key.
    var found = 0
    for start in bytes.indices.dropLast(text.count)
    where bytes[start..<(start + text.count)].elementsEqual(text) {
      bytes[start + text.count - 1] ^= 1
      found += 1
    }
    #expect(found >= 1)
    try Data(bytes).write(to: folder.url.appending(path: "new.whimbrel"))
    do {
      _ = try diffText(old, new)
      Issue.record("It was compared.")
    } catch StoreError.Code.damaged {}
  }
}
