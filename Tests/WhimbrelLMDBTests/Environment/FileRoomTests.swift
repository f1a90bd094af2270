#if os(Linux)
  import Foundation
  import Testing
  import WhimbrelTestSupport

  @testable import WhimbrelLMDB

  /// The room at the end of files that grow by small commits.
  @Suite(.mustEnd) struct FileRoomTests {
    private static let large = 50_000

    /// Makes a file of several megabytes, and returns its size after it.
    private func fill(_ environment: Environment, _ file: EnvironmentTestFile) throws -> Int {
      try environment.fill(0..<Self.large, mark: 1)
      return try size(file)
    }

    private func size(_ file: EnvironmentTestFile) throws -> Int {
      try #require(FileFacts(path: file.path)).size
    }

    /// The bytes that LMDB uses of a file.
    private func used(_ environment: Environment) throws -> Int {
      let facts = try environment.information()
      return (facts.lastPage + 1) * facts.pageSize
    }

    @Test func `small commits that grow a large file change its size seldom`() throws {
      let file = try EnvironmentTestFile()
      let environment = try file.environment()
      let before = try fill(environment, file)
      #expect(try used(environment) == before)
      var (sizes, grown): (Set<Int>, Set<Int>) = ([], [])
      for step in 0..<200 {
        let first = Self.large + step * 40
        try environment.fill(first..<first + 40, mark: 1)
        sizes.insert(try size(file))
        grown.insert(try used(environment))
      }
      #expect(grown.count > 150, "the commits did not grow the file, and nothing was tested")
      #expect(sizes.count < grown.count / 8)
      #expect(try size(file) <= used(environment) + before / 64)
      let found = try environment.marks()
      #expect(found.marks == [1] && found.count == Self.large + 8_000)
      _ = try FileStructure.inspect(path: file.path).checkPages()
    }

    @Test func `a large commit, a small file and a file of constant size get no room`() throws {
      let small = try EnvironmentTestFile()
      let environment = try small.environment()
      for step in 0..<50 { try environment.fill(step * 40..<(step + 1) * 40, mark: 1) }
      #expect(try size(small) == used(environment))

      let file = try EnvironmentTestFile()
      let other = try file.environment()
      let before = try fill(other, file)
      for step in 1..<4 {
        try other.fill(step * Self.large..<(step + 1) * Self.large, mark: 1)
      }
      #expect(try size(file) == used(other) && size(file) > before * 3)
      for _ in 0..<8 { try other.fill(0..<1, mark: 2) }
      let settled = try size(file)
      for _ in 0..<50 { try other.fill(0..<1, mark: 2) }
      #expect(try size(file) == settled)
    }

    @Test func `room that the disk does not have is no error`() async throws {
      let file = try EnvironmentTestFile()
      try Environment.temporarily(path: file.path, options: EnvironmentTestFile.options()) {
        try $0.fill(0..<Self.large, mark: 1)
      }
      let path = file.path
      await #expect(processExitsWith: .success) { [path = path as String] in
        let lease = try Environment.open(path: path)
        let environment = lease.environment
        let size = try #require(FileFacts(path: path)).size
        // There is a part of the room.
        try limitFiles(to: size + 81_920)
        var count = Self.large
        let error = #expect(throws: LMDBError.self) {
          while true {
            try environment.fill(count..<count + 40, mark: 1)
            count += 40
          }
        }
        #expect([.fileTooLarge, .inputOutput].contains(error?.code))
        #expect(count > Self.large + 320, "the first commits needed more than there was")
        #expect(try environment.marks().count == count)
        try limitFiles(to: nil)
        try environment.fill(count..<count + 4_000, mark: 1)
        #expect(try environment.marks().count == count + 4_000)
      }
      _ = try FileStructure.inspect(path: path).checkPages()
    }

    @Test func `two processes that grow a file by turns lose nothing`() async throws {
      let file = try EnvironmentTestFile()
      let environment = try file.environment()
      _ = try fill(environment, file)
      let path = file.path
      async let other = #expect(processExitsWith: .success) { [path = path as String] in
        let lease = try Environment.open(path: path)
        for step in 0..<200 {
          let first = 1_000_000 + step * 40
          try lease.environment.fill(first..<first + 40, mark: 1)
        }
      }
      try await onThread {
        for step in 0..<200 {
          let first = 2_000_000 + step * 40
          try environment.fill(first..<first + 40, mark: 1)
        }
      }
      _ = await other
      let found = try environment.marks()
      #expect(found.marks == [1] && found.count == Self.large + 16_000)
      _ = try FileStructure.inspect(path: file.path).checkPages()
    }
  }
#endif
