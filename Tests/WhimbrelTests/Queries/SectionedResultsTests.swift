import Foundation
import Testing
import Whimbrel

@Suite struct SectionedResultsTests {
  @Test func `sections come in the order of their first objects`() throws {
    let test = try HarborStore()
    let sections = test.harbors.sectioned(by: \.size)
    #expect(sections.allKeys == [0, 1, 2, 3, 4])
    #expect(sections.count == 5)
    #expect(sections[1].key == 1)
    #expect(sections[1].map(\.id) == [1, 6, 11, 16])
    #expect(sections[1][2].id == 11)
    #expect(sections[1][1..<3].map(\.id) == [6, 11])
    let backwards = test.harbors.sorted(by: \.id, ascending: false).sectioned(by: \.size)
    #expect(backwards.map(\.key) == [4, 3, 2, 1, 0])
    #expect(backwards.first?.map(\.id) == [19, 14, 9, 4])
  }

  @Test func `the value of a section may be nil, through a link, or of a closure`() throws {
    let test = try HarborStore()
    let byCoast = test.harbors.sectioned(by: \.coast?.code)
    #expect(byCoast.allKeys == ["N", "S", nil])
    #expect(byCoast[2].map(\.id) == [2, 5, 8, 11, 14, 17])
    let byParity = test.harbors.where { $0.size == 1 }.sectioned { $0.id % 2 == 0 }
    #expect(byParity.allKeys == [false, true])
    #expect(byParity.map(\.ids.count) == [2, 2])
  }

  @Test func `sections are live`() throws {
    let test = try HarborStore()
    let sections = test.harbors.where { $0.size > 2 }.sectioned(by: \.size)
    let four = sections[1]
    #expect(four.map(\.id) == [4, 9, 14, 19])
    try test.store.write {
      try test.harbor(9).size = 6
      #expect(four.map(\.id) == [4, 14, 19])
      #expect(sections.allKeys == [3, 4, 6])
      for harbor in four { try test.store.delete(harbor) }
      #expect(four.isEmpty)
    }
    #expect(sections.allKeys == [3, 6])
    #expect(four.isEmpty && four.first == nil)
  }

  @Test func `a loop through sections may change what they are made by`() throws {
    let test = try HarborStore()
    var visited: [Int: Int] = [:]
    try test.store.write {
      for section in test.harbors.sectioned(by: \.size) {
        visited[section.key] = section.count
        for harbor in section { harbor.size = 100 }
      }
    }
    #expect(visited == [0: 4, 1: 4, 2: 4, 3: 4, 4: 4])
  }

  @Test func `there are no sections of nothing`() throws {
    let test = try HarborStore()
    let sections = test.harbors.where { $0.size > 8 }.sectioned(by: \.size)
    #expect(sections.isEmpty && sections.allKeys.isEmpty && sections.first == nil)
  }

  // The array of the sections stopped the program: "Index out of range", and in optimised builds
  // nothing.
  @Test func `using a section that is not there stops the program, and says which are`()
    async throws
  {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try HarborStore().harbors.sectioned(by: \.size)[7]
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("Could not use section 7 of the results of 'Harbor'"))
  }

  @Test func `using a range of a section that is not there stops the program, and says which are`()
    async throws
  {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try HarborStore().harbors.sectioned(by: \.size)[1][2..<9]
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("Could not use object 8 of the results of 'Harbor'"))
  }

  @Test func `using a section of a closed store stops the program, and says that it is closed`()
    async throws
  {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let test = try HarborStore()
      let sections = test.harbors.sectioned(by: \.size)
      try test.store.close()
      _ = sections[0]
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("it has been closed"))
  }
}
