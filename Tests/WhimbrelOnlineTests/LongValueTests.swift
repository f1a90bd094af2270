import Foundation
import Testing
import Whimbrel

private enum First {
  @Model
  final class Letter {
    @PrimaryKey var number: Int
    var isRead = false
    var text: String?
    var scan: Data?
  }
}

private enum Second {
  @Model
  final class Letter {
    @PrimaryKey var number: Int
    var isRead = false
    var text: String = ""
    var scan: Data = Data()
  }
}

private enum Third {
  @Model
  final class Letter {
    @PrimaryKey var number: Int
    var isRead = false
    var text: String?
    var scan: Data?
    var length = 0
  }
}

/// Values outside of the records, in properties that get another identity in each release.
struct LongValueTests {
  private static func text(_ number: Int) -> String {
    String(repeating: "\(number) ", count: 4_000)
  }

  private static let rules: [MigrationRule] = [
    .rule(from: 1, First.Letter.self, Second.Letter.self) { old, new in
      new.text = text(old.number)
      new.scan = Data(text(old.number).utf8)
    },
    .rule(from: 2, Second.Letter.self, Third.Letter.self) { old, new in
      new.length = old.text.count
    },
  ]

  // Their old place was emptied before they were copied from it.
  @Test func `long values stay when the next release converts objects that are stored converted`()
    async throws
  {
    let files = try OnlineStore()
    let first = try Store(.init(url: files.url, models: [First.Letter.self], schemaVersion: 1))
    try first.write {
      for number in 0..<6 { try first.add(First.Letter(number: number, text: "short")) }
    }
    try first.close()
    let second = try Store(files.paused(Second.Letter.self, 2, Self.rules.prefix(1)))
    try second.write {
      for letter in second.objects(Second.Letter.self) where letter.number < 4 {
        letter.isRead = true
      }
    }
    try second.close()
    let store = try Store(files.paused(Third.Letter.self, 3, Self.rules))
    let letters = store.objects(Third.Letter.self)
    let texts = (0..<6).map(Self.text)
    for isFinished in [false, true] {
      #expect(letters.map(\.text) == texts)
      #expect(letters.map(\.scan) == texts.map { Data($0.utf8) })
      #expect(letters.map(\.length) == texts.map(\.count))
      if isFinished { break }
      #expect(try await store.transition.finish()?.failedCount == 0)
      try store.refresh()
    }
    #expect(try store.findings() == [])
  }
}
