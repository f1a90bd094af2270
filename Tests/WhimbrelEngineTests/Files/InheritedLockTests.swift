import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

#if os(Linux)
  /// A child process has copies of its parent's descriptors until it reaches its `exec`. Copies made
  /// by `dup` stand in for it here: they share their locks in the same way.
  @Suite struct InheritedLockTests {
    @Test func `the migration lock ends although a child has a copy of its descriptor`() throws {
      let file = try TestStore([])
      var copies: [Int32] = []
      defer { copies.forEach { close($0) } }
      do {
        guard let lock = try MigrationLock(path: file.path) else {
          Issue.record("The lock of a new file is taken.")
          return
        }
        copies = lock.whileHeld { Self.copies(of: file.path) }
      }
      #expect(!copies.isEmpty)
      let again = try MigrationLock(path: file.path) != nil
      #expect(again)
    }

    @Test func `the guard of a path ends although a child has a copy of its descriptor`() throws {
      let file = try TestStore([])
      let identity = try #require(FileIdentity(path: file.path))
      var copies: [Int32] = []
      defer { copies.forEach { close($0) } }
      for _ in 0..<2 {
        let outcome = try Environment.whileUnused(file.path, identity, patience: .zero) {
          copies += Self.copies(of: file.path)
        }
        guard case .done = outcome else {
          Issue.record("The guard is still taken.")
          return
        }
      }
      #expect(!copies.isEmpty)
    }

    /// Copies of all descriptors that this process has of a file.
    private static func copies(of path: String) -> [Int32] {
      let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      let folder = "/proc/self/fd"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.filter {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == real
      }.compactMap { Int32($0) }.map { dup($0) }
    }
  }
#endif
