import Testing
import WhimbrelTestSupport

/// Live objects do not leave frozen ones: the compiler says so.
@Suite struct EscapingTests {
  private static func program(_ statement: String) -> String {
    """
    import Foundation
    import Whimbrel

    enum Area: String, PersistableEnum { case africa, asia }

    @Model
    final class Zone {
      @PrimaryKey var identifier: String
      var area: Area?
      var country: Country?
      var neighbors: StoredList<Zone>
      var tags: StoredList<String>
      var extra: AnyValue
      var first: Zone? { neighbors.first }
      var others: [Zone] { Array(neighbors) }
      var text: String { identifier }
    }

    @Model
    final class Country {
      @PrimaryKey var code: String
      @Inverse(of: \\Zone.country) var zones: LinkingObjects<Zone>
    }

    func use(_ zone: Frozen<Zone>, _ zones: FrozenResults<Zone>) throws {
      \(statement)
    }
    """
  }

  @Test func `what frozen objects give can be sent`() throws {
    let statement = """
      let task = Task.detached { () -> [String] in
          let country: Frozen<Country>? = zone.country
          let neighbors: FrozenResults<Zone> = zone.neighbors
          let zones: FrozenResults<Zone>? = country?.zones
          let (area, tags): (Area?, [String]) = (zone.area, zone.tags)
          let first: Frozen<Zone>? = zone.first
          let text = try zone.read { $0.others.map(\\.text).joined() }
          return [zone.text, text, "\\(area, default: "")"] + tags + neighbors.map(\\.identifier)
            + [first?.identifier, zones?.first?.identifier].compactMap(\\.self)
        }
        _ = task
      """
    try expectCompiles([.init(name: "Frozen.swift", text: Self.program(statement))], .messages)
  }

  @Test(
    .takesLong,
    arguments: [
      "_ = try zone.read { $0 }",
      "_ = try zone.read { $0.neighbors }",
      "var found: Zone?; _ = try zone.read { found = $0 }; _ = found",
      "let extra = zone.extra; _ = extra",
      "let others = zone.others; _ = others",
      "let all: StoredList<Zone> = zone.neighbors; _ = all",
      "let country: Country? = zone.country; _ = country",
      "let zone: Zone? = zones.first; _ = zone",
      "zone.identifier = \"a\"",
    ]) func `a live object does not leave a frozen one`(statement: String) throws
  {
    let outcome = try Compiler.compile(
      [.init(name: "Frozen.swift", text: Self.program(statement))], .messages)
    #expect(!outcome.succeeded, "\(outcome.output)")
    #expect(outcome.output.contains("Frozen.swift:26:"), "\(outcome.output)")
  }
}
