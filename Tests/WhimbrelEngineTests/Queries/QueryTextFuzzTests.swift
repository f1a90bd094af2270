import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// No text crashes or hangs, and what is printed is read as the same.
struct QueryTextFuzzTests {
  static let seeds: Range<UInt64> = 0..<TestRun.count(4, long: 200)

  @Test(arguments: seeds)
  func `a random query is read from its text as the same`(seed: UInt64) throws {
    var random = RandomQuery(seed: seed)
    for _ in 0..<500 {
      let stages = random.stages()
      let printed = stages.printed
      let read = try QueryText(parsing: printed.text, arguments: printed.arguments)
      #expect(read.stages == stages, "seed \(seed): \(printed.text)")
      // What is equal may still differ in bytes, as −0 does.
      #expect(read.stages.printed.text.utf8.elementsEqual(printed.text.utf8), "seed \(seed)")
    }
  }

  @Test(arguments: seeds)
  func `a changed query is read or has an error`(seed: UInt64) throws {
    var random = RandomQuery(seed: seed &+ 1_000_000)
    for _ in 0..<500 {
      var text = Array(random.stages().printed.text.prefix(2_000).unicodeScalars)
      for _ in 0...random.number(0...3) where !text.isEmpty {
        let place = random.number(0...text.count - 1)
        switch random.number(0...3) {
        case 0: text.remove(at: place)
        case 1: text[place] = random.scalar()
        case 2: text.insert(random.scalar(), at: place)
        default:
          let end = min(place + random.number(0...20), text.count)
          text.insert(contentsOf: text[place..<end], at: random.number(0...text.count))
        }
      }
      check(String(String.UnicodeScalarView(text)), seed)
    }
  }

  @Test(arguments: seeds)
  func `a heap of tokens is read or has an error`(seed: UInt64) throws {
    var random = RandomQuery(seed: seed &+ 2_000_000)
    for _ in 0..<1_500 {
      let text = (0..<random.number(0...14)).map { _ in
        tokens[random.number(0...tokens.count - 1)] + (random.number(0...3) == 0 ? "" : " ")
      }
      check(text.joined(), seed)
    }
  }

  @Test(.serialized, .mustEnd, arguments: repeatedPieces)
  func `a large text takes no more than linear time`(piece: String) {
    let size = TestRun.isLong ? 1 << 20 : 1 << 15
    let text = String(repeating: piece, count: size / piece.utf8.count)
    check(text, 0)
    check("a == 1 AND " + text, 0)
  }

  @Test(arguments: Nesting.all)
  func `what is too deep is an error, on a small stack too`(nesting: Nesting) async {
    let deepest = await onSmallStack {
      (1...120).last { depth in
        guard let query = try? QueryText(parsing: nesting.text(depth)) else { return false }
        // What was read can be compared, printed and given back there as well.
        return query.stages == query.stages && !query.stages.printed.text.isEmpty
      }
    }
    #expect((40...100).contains(deepest ?? 0), "\(deepest ?? 0)")
    let reason = await onSmallStack {
      do throws(QueryTextError) {
        return try QueryText(parsing: nesting.text(100_000)).text
      } catch {
        return error.reason
      }
    }
    #expect(reason == "this is nested more than 100 levels deep")
  }

  // A text of a hundred levels was read, and then exhausted such a stack when it was bound.
  @Test func `a sum of almost a hundred numbers is calculated on a small stack`() async {
    let text = "a" + String(repeating: " + 1", count: 98) + " == 99"
    let count = await onSmallStack { () -> Int? in
      do {
        let number = ClassSchema("Number", .required("a", .int))
        let store = try TestStore([number]) { session in
          for a in 0..<3 { _ = try session.create("Number", ["a": .int(Int64(a))]) }
        }
        let request = try QueryRequest(
          "Number", parsing: text, in: StoreSchema(classes: [number]))
        let session = try store.session()
        return try withExtendedLifetime(session) { try BoundQuery(request, in: session).count() }
      } catch {
        return nil
      }
    }
    #expect(count == 1)
  }

  // In a debug build, each level took 11 KiB of the stack when it was evaluated.
  @Test func `sub-queries of almost a hundred steps are answered on a small stack`() async {
    var text = "$x0.name == 'first'"
    for level in 1...48 {
      let owner = level == 48 ? "" : "$x\(level)."
      text = "SUBQUERY(\(owner)p.p, $x\(level - 1), \(text)).@count == 1"
    }
    let count = await onSmallStack { [text] () -> Int? in
      do {
        let person = ClassSchema("Person", .required("name", .string), .link("p", to: "Person"))
        let store = try TestStore([person]) { session in
          var last = try session.create("Person", ["name": "first"])
          for _ in 1..<100 {
            last = try session.create("Person", ["name": "other", "p": .link(last)])
          }
        }
        let request = try QueryRequest(
          "Person", parsing: text, in: StoreSchema(classes: [person]))
        let session = try store.session()
        return try withExtendedLifetime(session) { try BoundQuery(request, in: session).count() }
      } catch {
        return nil
      }
    }
    #expect(count == 1)
  }

  /// Runs something on a thread with the 512 KiB that Apple's systems give to threads.
  private func onSmallStack<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: body()) }
      thread.stackSize = 1 << 19
      thread.start()
    }
  }

  /// Reads a text; what it says is printed and read again, and what is wrong with it has a
  /// place in it.
  private func check(_ text: String, _ seed: UInt64) {
    let arguments: [PropertyValue] = [1, "x", [1, 2], .link(ObjectID(rawValue: 1))]
    do throws(QueryTextError) {
      let query = try QueryText(parsing: text, arguments: arguments)
      try? query.checkNames(of: "Zone", in: StoreSchema(classes: []))
      let printed = query.stages.printed
      let again = try QueryText(parsing: printed.text, arguments: printed.arguments)
      #expect(
        again.stages.printed.text.utf8.elementsEqual(printed.text.utf8), "seed \(seed): \(text)")
    } catch {
      #expect(!error.reason.isEmpty && !error.hint.isEmpty, "seed \(seed): \(text)")
      let lines = text.split(omittingEmptySubsequences: false) {
        $0 == "\n" || $0 == "\r" || $0 == "\r\n"
      }
      #expect((1...max(lines.count, 1)).contains(error.line), "seed \(seed): \(text)")
      // A place within a character counts as behind it.
      let longest = lines.map(\.count).max() ?? 0
      #expect((1...longest + 2).contains(error.column), "seed \(seed): \(text)")
    }
  }
}

extension RandomQuery {
  fileprivate mutating func scalar() -> Unicode.Scalar {
    let scalars = "()[]{}<>=!&|.,+-*/$%@'\"`\\ 019aEexTnuB64\u{0}\n\u{301}é日😀\u{2019}\u{A0}#;:"
      .unicodeScalars
    return scalars.randomElement(using: &generator) ?? "("
  }
}

private let tokens = [
  "a", "b.c", "`d e`", "1", "2.5", "'x'", "nil", "true", "$0", "$1", "$2", "%@", "==", "!=", "<",
  "<=",
  "IN", "BETWEEN", "CONTAINS", "LIKE", "TEXT", "[c]", "[cd]", "{", "}", "(", ")", ",", "...", "..<",
  "AND", "OR", "NOT", "!", "&&", "||", "+", "-", "*", "/", "ANY", "ALL", "NONE", "SELF", ".@count",
  ".@sum", ".@keys", "@links.A.b", "SUBQUERY(", "$x", "SORT(", "ASC", "DESC", "DISTINCT(", "LIMIT(",
  "OFFSET(", "FILTER(", "TRUEPREDICATE", "uuid(", "decimal(1)", "2020-01-31", "@12:00", "['k']",
  ".",
]

private let repeatedPieces = [
  "(", ")", "a", "a ", "1", "9 ", ".1", "1.", "a.", "a.b", "'", "'a", "\\", "\"\\", "`", "$", "$1",
  "@", "-", "- 1", "NOT ", "!", "a == 1 AND ", "a == 1 OR ", "1,", "{", "{1,", "IN {", "a+", "a*b-",
  "uuid(", "uuid(a)", "oid( ", "SUBQUERY(", "2020-01-01", "e\u{301}", "\u{301}", "😀", "\u{0}", " ",
  "\u{A0}", "\n", "\r\n", "[", "a['x']", "SORT(a) ", "LIMIT(1) ", "0x", "1e", "B64'", "a (", "a\n",
]

/// Something that is inside of the same again and again.
struct Nesting: Sendable, CustomTestStringConvertible {
  var beginning = ""
  var open: String
  var middle = "a"
  var close = ""
  var end = ""

  var testDescription: String { open }

  func text(_ depth: Int) -> String {
    beginning + String(repeating: open, count: depth) + middle
      + String(repeating: close, count: depth) + end
  }

  static let all = [
    Nesting(open: "(", close: ")", end: " == 1"), Nesting(open: "NOT ", end: " == 1"),
    Nesting(open: "!(", middle: "a == 1", close: ")"), Nesting(open: "- ", end: " == 1"),
    Nesting(open: "(1 + ", close: ")", end: " == 1"), Nesting(open: "1 + ", end: " == 1"),
    Nesting(open: "a == 1 OR (b == 1 AND (", middle: "c == 1", close: "))"),
    Nesting(
      beginning: "SUBQUERY(a, $x, ", open: "SUBQUERY($x.a, $x, ", middle: "$x.b == 1",
      close: ").@count > 1", end: ").@count > 1"),
  ]
}
