import Foundation
import Testing
import Whimbrel

private enum First {
  @Model
  final class Sample {
    @PrimaryKey var number: Int
    var grade: Int?
    var rank: Int?
    var depth: Float
  }
}

/// Version 2 changes only the catalog. Old objects show `grade` 7, `rank` 8 and `count` 3.
private enum Second {
  @Model
  final class Sample {
    @PrimaryKey var number: Int
    var grade: Int = 7
    var rank: Int = 8
    var depth: Double
    var count: Int = 3
  }
}

/// Version 3 converts all of these properties.
private enum Third {
  @Model
  final class Sample {
    @PrimaryKey var number: Int
    var grade: Int?
    var rank: String = "new"
    var depth: String = "new"
    var count: String = "new"
    var sum: Int = 0
  }
}

/// Properties that an online migration converts, and that an earlier migration has changed in the
/// catalog only.
struct EarlierDefaultTests {
  private static let rule = MigrationRule.rule(
    from: 2, Second.Sample.self, Third.Sample.self
  ) { old, new in
    new.sum = old.grade + old.rank + old.count
  }

  // The values were converted as the first version had stored them: `grade` was nil again, `rank`
  // and `count` had their new defaults, and `depth` had the digits of a `Float`.
  @Test func `values that old objects have since an earlier migration are converted`() async throws
  {
    let files = try OnlineStore()
    let first = try Store(.init(url: files.url, models: [First.Sample.self], schemaVersion: 1))
    try first.write {
      try first.add(First.Sample(number: 1, grade: nil, rank: nil, depth: 0.1))
      try first.add(First.Sample(number: 2, grade: 1, rank: 2, depth: 0.5))
    }
    try first.close()
    let second = try Store(.init(url: files.url, models: [Second.Sample.self], schemaVersion: 2))
    try second.write {
      try second.add(Second.Sample(number: 3, grade: 4, rank: 5, depth: 0.25, count: 6))
    }
    try second.close()

    let store = try Store(files.paused(Third.Sample.self, 3, [Self.rule]))
    func expectSamples() throws {
      let samples = store.objects(Third.Sample.self).sorted(by: \.number)
      #expect(samples.map(\.grade) == [7, 1, 4])
      #expect(samples.map(\.rank) == ["8", "2", "5"])
      #expect(samples.map(\.depth) == ["0.10000000149011612", "0.5", "0.25"])
      #expect(samples.map(\.count) == ["3", "3", "6"])
      #expect(samples.map(\.sum) == [18, 6, 15])
      #expect(samples.where { $0.rank == "8" }.map(\.number) == [1])
      #expect(try store.findings() == [])
    }
    try expectSamples()
    let progress = try #require(try await store.transition.finish())
    #expect(progress.unsetCount == 0 && progress.failedCount == 0)
    try store.refresh()
    try expectSamples()
  }
}
