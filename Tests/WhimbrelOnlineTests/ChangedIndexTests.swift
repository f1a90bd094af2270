import Foundation
import Testing
import Whimbrel

private enum First {
  @Model
  final class Sample {
    var number: Int
    var depth: Int
    @Indexed var grade: Int
  }
}

private enum Second {
  @Model
  @Index([\.depth, \.number])
  final class Sample {
    var number: Int
    @Indexed var depth: Int = 0
    var grade: Int = 0
  }
}

private enum Third {
  @Model
  @Index([\.depth, \.number])
  final class Sample {
    var number: Int
    @Indexed var depth: Int = 0
    var grade: Int = 0
    var sum: Int = 0
  }
}

/// The second version as it would be if it kept the index.
private enum Keeping {
  @Model
  final class Sample {
    var number: Int
    var depth: Int
    @Indexed var grade: Int = 0
  }
}

/// Rules that set properties which are kept, and whose indexes are added or removed.
struct ChangedIndexTests {
  private static let rules: [MigrationRule] = [
    .rule(from: 1, First.Sample.self, Second.Sample.self) { old, new in
      new.depth = old.depth + 100
      new.grade = old.grade + 1_000
    },
    .rule(from: 2, Second.Sample.self, Third.Sample.self) { old, new in
      new.sum = old.depth + old.grade
    },
  ]

  private func make(_ files: OnlineStore) throws {
    let store = try Store(.init(url: files.url, models: [First.Sample.self], schemaVersion: 1))
    try store.write {
      for number in 0..<20 {
        try store.add(First.Sample(number: number, depth: number % 5, grade: number % 3))
      }
    }
    try store.close()
  }

  // Each object failed to be converted if the release of the rule added the index.
  @Test func `a rule sets a kept property that its release gives an index`() async throws {
    let files = try OnlineStore()
    try make(files)
    let store = try Store(files.paused(Second.Sample.self, 2, Self.rules.prefix(1)))
    let samples = store.objects(Second.Sample.self)
    try store.write { try samples.where { $0.number < 4 }.update { $0.grade = 7 } }
    #expect(samples.where { $0.depth == 103 }.map(\.number) == [3, 8, 13, 18])
    try store.write { try store.delete(samples.where { $0.number == 8 }) }
    #expect(try await store.transition.finish()?.failedCount == 0)
    try store.refresh()
    #expect(samples.where { $0.depth == 103 }.map(\.number) == [3, 13, 18])
    #expect(samples.where { $0.depth == 3 }.isEmpty)
    #expect(samples.where { $0.depth == 103 && $0.number > 3 }.map(\.number) == [13, 18])
    #expect(try store.findings() == [])
  }

  // Each object failed to be converted in stores that skipped the release that removed the index.
  @Test(arguments: [[], [2]] as [[Int]])
  func `a rule sets a kept property that its release takes the index from`(
    _ opened: [Int]
  ) async throws {
    let files = try OnlineStore()
    try make(files)
    if opened.contains(2) {
      try Store(files.paused(Second.Sample.self, 2, Self.rules.prefix(1))).close()
    }
    let store = try Store(files.paused(Third.Sample.self, 3, Self.rules))
    let samples = store.objects(Third.Sample.self)
    let grades: [Int] = (0..<20).map { $0 % 3 + 1_000 }
    let sums: [Int] = (0..<20).map { grades[$0] + $0 % 5 + 100 }
    #expect(samples.map(\.grade) == grades)
    #expect(samples.map(\.sum) == sums)
    #expect(try await store.transition.finish()?.failedCount == 0)
    try store.refresh()
    #expect(samples.where { $0.depth == 104 }.map(\.number) == [4, 9, 14, 19])
    #expect(samples.map(\.grade) == grades)
    #expect(try store.findings() == [])
  }

  @Test func `a rule does not set a property that keeps its index`() async throws {
    let files = try OnlineStore()
    try make(files)
    let rule = MigrationRule.rule(from: 1, First.Sample.self, Keeping.Sample.self) { old, new in
      new.grade = old.grade + 1_000
    }
    let store = try Store(
      Store.Configuration(
        url: files.url, models: [Keeping.Sample.self], schemaVersion: 2,
        migration: .online(rule)))
    #expect(try await store.transition.finish()?.failedCount == 20)
    // The value cannot be read, which the next call that throws reports.
    #expect(store.objects(Keeping.Sample.self).first?.grade == 0)
    let error = #expect(throws: StoreError.self) { try store.refresh() }
    #expect(error?.code == .ruleFailed)
  }
}
