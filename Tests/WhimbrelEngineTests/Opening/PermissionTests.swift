import Foundation
import Testing

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

/// Modes do not bind root, so these tests become somebody else in a child.
@Suite struct PermissionTests {
  /// What opening gives to a user who is not root: a code, or "opened".
  private static func outcome(_ path: String, isReadOnly: Bool) -> String {
    if getuid() == 0, setgid(65_534) != 0 || setuid(65_534) != 0 { return "still root" }
    var request = OpeningTestStore.request(path)
    request.isReadOnly = isReadOnly
    do {
      let session = try Session(StoreFile.open(request))
      if !isReadOnly { try OpeningTestStore.add(500..<501, to: session) }
      return try session.table("Thing").count() == 0 ? "empty" : "opened"
    } catch {
      return (error as? StoreError)?.code.description ?? "\(error)"
    }
  }

  private func expect(
    _ readOnly: String, _ writing: String, file: mode_t, folder: mode_t, lock: mode_t? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let store = try OpeningTestStore()
    let lockPath = store.path + "-lock"
    if let lock { unsafe chmod(lockPath, lock) } else { unsafe unlink(lockPath) }
    unsafe chmod(store.path, file)
    unsafe chmod(store.folder, folder)
    let before = try? store.bytes
    for (isReadOnly, expected) in [(true, readOnly), (false, writing)] {
      await #expect(processExitsWith: .success, sourceLocation: sourceLocation) {
        [
          path = store.path as String, isReadOnly = isReadOnly as Bool,
          expected = expected as String
        ]
        in
        let outcome = Self.outcome(path, isReadOnly: isReadOnly)
        #expect(outcome == expected, "read-only: \(isReadOnly)")
      }
    }
    if getuid() == 0, writing != "opened" {
      #expect(try store.bytes == before, sourceLocation: sourceLocation)
    }
    unsafe chmod(store.folder, 0o755)
    unsafe chmod(store.path, 0o644)
    unsafe unlink(lockPath)
    let session = try Session(StoreFile.open(store.request))
    #expect(try session.table("Thing").count() >= 20, sourceLocation: sourceLocation)
  }

  @Test func `a file that may not be read cannot be opened`() async throws {
    try await expect("permissionDenied", "permissionDenied", file: 0o000, folder: 0o777)
  }

  @Test func `a file that may only be read opens read-only`() async throws {
    try await expect("opened", "permissionDenied", file: 0o444, folder: 0o777)
  }

  @Test func `a folder that may not be written to is an error`() async throws {
    try await expect("readOnlyFolder", "readOnlyFolder", file: 0o666, folder: 0o755)
  }

  @Test func `a file and a folder that nobody may write open read-only`() async throws {
    try await expect("opened", "permissionDenied", file: 0o444, folder: 0o555)
  }

  // A store that came with an app, for example.
  @Test func `a file of somebody else without a lock file opens read-only`() async throws {
    try await expect("opened", "permissionDenied", file: 0o644, folder: 0o755)
  }

  @Test func `a file of somebody else with a lock file opens read-only`() async throws {
    try await expect("opened", "permissionDenied", file: 0o644, folder: 0o755, lock: 0o644)
  }

  /// In a shared folder, a member of the group opened the store of another one to read it, and
  /// created the lock file with the permissions of the store. The owner of the store could not write
  /// the lock file then, and was locked out.
  @Test(.enabled(if: getuid() == 0, "only root can become two users"))
  func `a reader does not create a lock file that locks out the owner`() async throws {
    let store = try OpeningTestStore()
    unsafe unlink(store.path + "-lock")
    unsafe chmod(store.folder, 0o777)
    unsafe chmod(store.path, 0o644)
    unsafe chown(store.path, 1_234, 1_234)
    await #expect(processExitsWith: .success) { [path = store.path as String] in
      #expect(Self.outcome(path, isReadOnly: true) == "opened")
    }
    await #expect(processExitsWith: .success) { [path = store.path as String] in
      #expect(setgid(1_234) == 0 && setuid(1_234) == 0)
      #expect(Self.outcome(path, isReadOnly: false) == "opened")
    }
  }

  @Test(.enabled(if: SmallDisk.isPossible))
  func `a store on a disk that can only be read opens and gets no lock file`() throws {
    let disk = try #require(SmallDisk(kibibytes: 4_096))
    let store = try OpeningTestStore()
    let path = disk.path + "/Bundled.whimbrel"
    try FileManager.default.copyItem(atPath: store.path, toPath: path)
    try #require(disk.makeReadOnly())
    // Modes do not bind root, but the disk does.
    var request = OpeningTestStore.request(path)
    request.isReadOnly = true
    let session = try Session(StoreFile.open(request))
    #expect(try session.table("Thing").count() >= 20)
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["Bundled.whimbrel"])
    #expect(try StoreFile.headerWithoutOpening(path).schemaVersion == request.schemaVersion)
    session.close()
  }

  @Test func `a store in a folder that may not be entered cannot be opened`() async throws {
    try await expect("permissionDenied", "permissionDenied", file: 0o666, folder: 0o700)
  }

  @Test func `a lock file that may only be read is an error`() async throws {
    try await expect(
      "lockFileUnusable", "lockFileUnusable", file: 0o666, folder: 0o777, lock: 0o444)
  }

  // The error was that the copy could not be opened, as if there were one.
  @Test func `a copy into a folder that may not be written to names the folder`() async throws {
    let store = try OpeningTestStore()
    unsafe unlink(store.path + "-lock")
    unsafe chmod(store.path, 0o444)
    unsafe chmod(store.folder, 0o555)
    await #expect(processExitsWith: .success) { [path = store.path as String] in
      if getuid() == 0 { #expect(setgid(65_534) == 0 && setuid(65_534) == 0) }
      var request = OpeningTestStore.request(path)
      request.isReadOnly = true
      let error = #expect(throws: StoreError.self) {
        try Session(StoreFile.open(request)).writeCopy(to: path + "2")
      }
      #expect(error?.code == .readOnlyFolder)
      #expect(error?.message.hasPrefix("Could not create the store at '\(path)2'") == true)
      #expect(error?.message.hasSuffix(" cannot be written to.") == true)
    }
    unsafe chmod(store.folder, 0o755)
  }

  @Test func `a store opens where its file and its lock file may be written`() async throws {
    try await expect("opened", "opened", file: 0o666, folder: 0o755, lock: 0o666)
  }

  @Test func `no store is made in a folder that may not be written to`() async throws {
    let store = try OpeningTestStore(objects: nil)
    unsafe chmod(store.folder, 0o555)
    await #expect(processExitsWith: .success) { [path = store.path as String] in
      #expect(Self.outcome(path, isReadOnly: false) == "readOnlyFolder")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder).isEmpty)
    unsafe chmod(store.folder, 0o755)
    _ = try StoreFile.open(store.request)
  }
}
