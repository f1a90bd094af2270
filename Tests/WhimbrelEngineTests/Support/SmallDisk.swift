import Foundation

/// A small disk of its own, if this machine lets the test make one.
final class SmallDisk {
  let path: String

  /// Whether this user may mount a small disk.
  static let isPossible = SmallDisk(kibibytes: 64) != nil

  init?(kibibytes: Int) {
    path = FileManager.default.temporaryDirectory.path + "/disk-\(UUID().uuidString)"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let arguments = ["-t", "tmpfs", "-o", "size=\(kibibytes)k", "tmpfs", path]
    guard getuid() == 0, Self.run("mount", arguments) else {
      try? FileManager.default.removeItem(atPath: path)
      return nil
    }
  }

  deinit {
    _ = Self.run("umount", ["-l", path])
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Makes the disk one that can only be read, and returns whether that worked.
  func makeReadOnly() -> Bool { Self.run("mount", ["-o", "remount,ro", path]) }

  /// Mounts a file on itself, and returns whether that worked. Until ``unmount(_:)``, the file can
  /// neither lose its name nor get another one.
  static func mount(_ file: String) -> Bool { run("mount", ["--bind", file, file]) }

  static func unmount(_ file: String) { _ = run("umount", ["-l", file]) }

  /// Fills the disk but for so many bytes.
  func fill(leaving free: Int) throws {
    try emptyAgain()
    let space = try FileManager.default.attributesOfFileSystem(forPath: path)[.systemFreeSize]
    let size = max((space as? Int ?? 0) - free, 0)
    try Data(count: size).write(to: URL(filePath: ballast))
  }

  /// Gives back what filled the disk; a process that was begun meanwhile may have the file
  /// open, so removing it is not enough.
  func emptyAgain() throws {
    if FileManager.default.fileExists(atPath: ballast) {
      let handle = try FileHandle(forWritingTo: URL(filePath: ballast))
      try handle.truncate(atOffset: 0)
      try handle.close()
    }
  }

  private var ballast: String { path + "/ballast" }

  private static func run(_ tool: String, _ arguments: [String]) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
