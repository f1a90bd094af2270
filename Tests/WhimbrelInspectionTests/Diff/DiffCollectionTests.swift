import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct DiffCollectionTests {
  let folder: TestFolder
  let old: String
  let new: String
  static let stop = ClassSchema(
    name: "Stop", isEmbedded: true,
    properties: [
      PropertySchema(name: "name", type: .string),
      PropertySchema(name: "next", type: .link(to: "Stop")),
    ])
  static let trip = ClassSchema(
    name: "Trip",
    properties: [
      PropertySchema(name: "numbers", type: .list(of: ElementType(.int))),
      PropertySchema(name: "tags", type: .set(of: ElementType(.string))),
      PropertySchema(name: "names", type: .map(of: ElementType(.string, isOptional: true))),
      PropertySchema(name: "anything", type: .any),
      PropertySchema(name: "start", type: .link(to: "Stop")),
      PropertySchema(name: "stops", type: .list(of: ElementType(.link(to: "Stop")))),
      PropertySchema(name: "others", type: .map(of: ElementType(.link(to: "Stop")))),
      PropertySchema(name: "friends", type: .set(of: ElementType(.link(to: "Trip")))),
    ])

  init() throws {
    folder = try TestFolder()
    old = folder.path("old.whimbrel")
    new = folder.path("new.whimbrel")
  }

  /// Makes a trip in each of two stores, and returns what differs but for the first two lines.
  private func difference(
    _ before: (Session) throws -> [String: PropertyValue],
    _ after: (Session) throws -> [String: PropertyValue]
  ) throws -> String {
    for path in [old, new] {
      try makeStore(at: path, [Self.stop, Self.trip]) { session in
        let values = path == old ? try before(session) : try after(session)
        _ = try session.table("Trip").create(values, replacing: false)
      }
    }
    let lines = try diffText(old, new).split(separator: "\n", omittingEmptySubsequences: false)
    // The other way round, what is new is gone.
    let back = try diffText(new, old).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == back.count)
    return lines.dropFirst(2).joined(separator: "\n")
  }

  private static func stop(
    _ session: Session, _ name: String, next: PropertyValue = .null
  ) throws -> PropertyValue {
    .link(
      try session.table("Stop").create(
        ["name": .string(name), "next": next], replacing: false))
  }

  @Test func `lists show the elements that came and went`() throws {
    let text = try difference({ _ in ["numbers": [1, 2, 3, 4]] }) { _ in
      ["numbers": [1, 3, 5, 4, 6]]
    }
    #expect(
      text == """
            numbers: +2 -1
              - [1] 2
              + [2] 5
              + [4] 6

        """)
  }

  @Test func `long parts of lists are replaced, and little of them is shown`() throws {
    let first: Range<Int64> = 0..<1_500
    let second: Range<Int64> = 5_000..<6_600
    let text = try difference({ _ in ["numbers": .list(first.map { .int($0) })] }) { _ in
      ["numbers": .list(second.map { .int($0) })]
    }
    #expect(text.hasPrefix("    numbers: +1600 -1500\n      - [0] 0\n      - [1] 1\n"))
    #expect(text.hasSuffix("      - [9] 9\n      … 3090 more\n"))
  }

  @Test func `sets and maps are compared by members and names`() throws {
    let text = try difference({ _ in
      ["tags": ["a", "b", "c"], "names": ["de": "eins", "fr": "un", "it": .null]]
    }) { _ in
      ["tags": ["c", "d", "a"], "names": ["de": "zwei", "it": .null, "pl": "jeden"]]
    }
    #expect(
      text == """
            tags: +1 -1
              - "b"
              + "d"
            names: +1 -1 ~1
              ~ ["de"] "eins" → "zwei"
              - ["fr"] "un"
              + ["pl"] "jeden"

        """)
  }

  // A set showed such a difference, and a map did not: the stores were said to be the same.
  @Test func `a name that differs only in the form of an accent is a difference`() throws {
    func values(_ name: String) -> [String: PropertyValue] {
      ["names": [name: "x", "z": "y"], "anything": .map([name: 1])]
    }
    let text = try difference({ _ in values("\u{E9}") }) { _ in values("e\u{301}") }
    let lines = text.split(separator: "\n").map { Array($0.unicodeScalars) }
    let expected = [
      "    names: +1 -1", "      - [\"\u{E9}\"] \"x\"", "      + [\"e\u{301}\"] \"x\"",
      #"    anything: {\u{00E9}: 1} → {e\u{0301}: 1}"#,
    ]
    #expect(lines == expected.map { Array($0.unicodeScalars) }, "\(text)")
  }

  @Test func `values of any type say their kinds where that is the difference`() throws {
    let text = try difference({ _ in ["anything": .float(0.5)] }) { _ in
      ["anything": .double(0.5)]
    }
    #expect(text == "    anything: float 0.5 → double 0.5\n")
    #expect(
      try diffText(old, new, style: .json).contains(
        #"{"property":"anything","old":{"float":0.5},"new":{"double":0.5}}"#))
  }

  @Test func `embedded objects are compared as parts, whatever their IDs`() throws {
    let text = try difference({ session in
      let start = try Self.stop(session, "A", next: Self.stop(session, "B"))
      return [
        "start": start, "stops": [try Self.stop(session, "C"), try Self.stop(session, "D")],
        "others": ["x": try Self.stop(session, "E"), "y": try Self.stop(session, "F")],
      ]
    }) { session in
      // In another order.
      let others: PropertyValue = [
        "x": try Self.stop(session, "E"), "y": try Self.stop(session, "G"),
      ]
      let stops: PropertyValue = [try Self.stop(session, "C"), try Self.stop(session, "Z")]
      let start = try Self.stop(session, "A", next: Self.stop(session, "X"))
      return ["start": start, "stops": stops, "others": others]
    }
    #expect(
      text == """
            start.next.name: "B" → "X"
            stops[1].name: "D" → "Z"
            others["y"].name: "F" → "G"

        """)
  }

  @Test func `embedded objects that come and go are shown whole`() throws {
    let text = try difference({ session in ["stops": [try Self.stop(session, "A")]] }) { session in
      ["start": try Self.stop(session, "B")]
    }
    #expect(
      text == """
            start: null → {name: "B", next: null}
            stops: -1
              - [0] {name: "A", next: null}

        """)
  }

  @Test func `sets of links are compared by what they lead to`() throws {
    for path in [old, new] {
      try makeStore(at: path, [Self.stop, Self.trip]) { session in
        let trips = try session.table("Trip")
        let ids = try (0..<3).map { _ in try trips.create([:], replacing: false) }
        let friends = path == old ? [ids[0], ids[1]] : [ids[1], ids[2]]
        try trips.update(ids[0]) { try $0.set(7, .list(friends.map { .link($0) })) }
      }
    }
    #expect(
      try diffText(old, new) == """
        Trip: 1 changed, 2 unchanged
        ~ Trip id:1
            friends: +1 -1
              - id:1
              + id:3

        """)
  }
}
