import Testing
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelSampling
import WhimbrelTestSupport

struct OrderedTextsTests {
  private func order(_ texts: Set<String>) -> [String: String] {
    OrderedTexts(texts, SipHash.Key(7, 8)).replacements
  }

  /// The order of indexes: that of the scalars.
  private func precedes(_ first: String, _ second: String) -> Bool {
    first.unicodeScalars.lexicographicallyPrecedes(second.unicodeScalars)
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `texts sort as before and stay different`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pool = Array("abcxyzABZ0159 -éßжЖ日本한😀👍".unicodeScalars)
    var texts: Set<String> = []
    for _ in 0..<Int.random(in: 0...300, using: &random) {
      var view = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        if let scalar = pool.randomElement(using: &random) { view.append(scalar) }
      }
      texts.insert(String(view))
    }
    let replaced = order(texts)
    #expect(replaced.count == texts.count)
    let sorted = texts.sorted(by: precedes)
    let values = sorted.compactMap { replaced[$0] }
    #expect(zip(values, values.dropFirst()).allSatisfy(precedes), "seed \(seed)")
    #expect(zip(sorted, values).allSatisfy { $0.utf8.count == $1.utf8.count })
    #expect(order(texts) == replaced)
  }

  @Test func `few texts become entirely others`() {
    let replaced = order(["Europe/Andorra", "Europe/Vienna", "Asia/Kathmandu"])
    for (old, new) in replaced {
      #expect(zip(old, new).count { $0 == $1 } <= 5)
      #expect(new.count { $0 == "/" } == 1)
    }
  }

  @Test func `all letters at one place stay`() {
    let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)
    #expect(order(Set(letters)) == Dictionary(uniqueKeysWithValues: letters.map { ($0, $0) }))
  }

  @Test func `no leading zeros are made`() {
    let replaced = order(Set((1...500).map { "number \($0)" }))
    #expect(replaced.values.allSatisfy { !$0.contains(" 0") })
    #expect(order(["0", "05", "x"])["0"] == "0")
  }
}
