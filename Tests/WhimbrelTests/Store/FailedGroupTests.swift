#if os(Linux)
  import Foundation
  import Testing
  import Whimbrel
  import WhimbrelTestSupport

  @testable import WhimbrelEngine

  /// Writes that fail or end in the middle: groups of asynchronous writes, and large ones.
  @Suite(.oneAtATime, .mustEnd) struct FailedGroupTests {
    @Test func `each write of a group without room on the disk fails, and later ones are kept`()
      async throws
    {
      let test = try TestStore()
      await #expect(processExitsWith: .success) { [path = test.url.path as String] in
        try await Self.writeBeyondLimit(path)
      }
      let names = try test.open().objects(Node.self).map { $0.name.split(separator: " ")[0] }
      #expect(names.map(String.init) == WriterCrowd.names("before") + WriterCrowd.names("after"))
      try test.expectWhole()
    }

    private static func writeBeyondLimit(_ path: String) async throws {
      var test = try TestStore()
      test.configuration.url = URL(filePath: path)
      let crowd = try await WriterCrowd(test)
      WriterCrowd.expectSuccess(try await crowd.write("before"))
      let commit = try crowd.patient.lastCommit
      for _ in 0..<2 {
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        let errors = try await crowd.write("lost", length: 200_000) { try limitFiles(to: size) }
        try limitFiles(to: nil)
        WriterCrowd.expectFailure(errors, [.diskQuotaExceeded])
        #expect(try crowd.patient.lastCommit == commit)
        for (number, member) in crowd.members.enumerated() {
          #expect(await member.names == WriterCrowd.names("before"))
          #expect(await member.own == (number == 2 ? [] : ["before\(number)"]))
          #expect(await member.told.last == WriterCrowd.kept)
        }
        try test.expectWhole()
      }
      WriterCrowd.expectSuccess(try await crowd.write("after"))
      #expect(try crowd.patient.lastCommit == commit + 1)
      for (number, member) in crowd.members.enumerated() {
        try await member.refresh()
        #expect(await member.names == WriterCrowd.names("before") + WriterCrowd.names("after"))
        // The objects that were lost are not those that have come after them.
        #expect(await member.own == (number == 2 ? [] : ["before\(number)", "after\(number)"]))
        // None was told of objects that never were.
        #expect(await Set(member.told).isSubset(of: [0, WriterCrowd.kept, WriterCrowd.kept * 2]))
      }
      try test.expectWhole()
    }

    // Pages are written to the file before the commit, so the disk is full in the middle of the write.
    @Test(.takesLong)
    func `a large write without room on the disk fails as a whole, also if its error is dropped`()
      async throws
    {
      let test = try TestStore()
      await #expect(processExitsWith: .success) { [path = test.url.path as String] in
        var test = try TestStore()
        test.configuration.url = URL(filePath: path)
        let store = try test.open()
        try store.write { try store.add(Node(name: "before")) }
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        try limitFiles(to: size.map { $0 + 1 << 20 })
        let text = String(repeating: "lost", count: 250)
        for dropsErrors in [false, true] {
          var failures = 0
          let error = #expect(throws: StoreError.self) {
            try store.write {
              for number in 0..<24_000 {
                do { try store.add(Node(name: "\(text) \(number)")) } catch {
                  failures += 1
                  if !dropsErrors { throw error }
                }
              }
            }
          }
          #expect([.diskQuotaExceeded, .ioError].contains(error?.code))
          #expect(dropsErrors ? failures > 1_000 : failures == 1)
          #expect(store.objects(Node.self).map(\.name) == ["before"])
          try test.expectWhole()
        }
        try limitFiles(to: nil)
        try store.write { try store.add(Node(name: "after")) }
      }
      #expect(try test.open().objects(Node.self).map(\.name) == ["before", "after"])
      try test.expectWhole()
    }

    @Test(.takesLong) func `a process that is killed in a large write leaves what was committed`()
      async throws
    {
      let test = try TestStore()
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = test.url.path as String] in
        var test = try TestStore()
        test.configuration.url = URL(filePath: path)
        let store = try test.open()
        try store.write { try store.add(Node(name: "before")) }
        let text = String(repeating: "lost", count: 250)
        try store.write {
          for number in 0..<24_000 { try store.add(Node(name: "\(text) \(number)")) }
          let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
          if size ?? 0 > 1 << 22 { kill(getpid(), SIGKILL) }
        }
      }
      #expect(try test.open().objects(Node.self).map(\.name) == ["before"])
      try test.expectWhole()
      let store = try test.open()
      try store.write { try store.add(Node(name: "after")) }
      try test.expectWhole()
    }
  }
#endif
