import Foundation
import Testing

@testable import WhimbrelLMDB

/// What the system knows of files, as `stat` tells it.
@Suite struct FileFactsTests {
  private func expectSame(_ facts: FileFacts?, _ status: stat) throws {
    let facts = try #require(facts)
    #expect(facts.identity.device == UInt64(truncatingIfNeeded: status.st_dev))
    #expect(facts.identity.node == UInt64(truncatingIfNeeded: status.st_ino))
    #expect(facts.names == Int(status.st_nlink))
    #expect(facts.size == Int(status.st_size))
    #expect(facts.mode == UInt32(status.st_mode))
  }

  @Test func `paths, links and descriptors are told as stat tells them`() throws {
    let folder = try StructureTestFolder()
    let (path, link) = (folder.file("data"), folder.file("link"))
    try Data(count: 12_345).write(to: URL(filePath: path))
    try FileManager.default.linkItem(atPath: path, toPath: folder.file("second name"))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    var status = stat()
    #expect(unsafe stat(path, &status) == 0 && status.st_nlink == 2)
    try expectSame(FileFacts(path: path), status)
    try expectSame(FileFacts(path: link), status)
    let descriptor = unsafe open(path, O_RDONLY)
    defer { close(descriptor) }
    try expectSame(FileFacts(descriptor: descriptor), status)
    #expect(unsafe lstat(link, &status) == 0)
    try expectSame(FileFacts(path: link, followsLinks: false), status)
    for path in ["/", "/dev/null"] {
      #expect(unsafe stat(path, &status) == 0)
      try expectSame(FileFacts(path: path), status)
    }
  }

  @Test func `what is not there is nil, with the reason`() throws {
    let folder = try StructureTestFolder()
    let path = folder.file("data")
    try Data(count: 1).write(to: URL(filePath: path))
    #expect(FileFacts(path: path + ".other") == nil && errno == ENOENT)
    #expect(FileFacts(path: path + "/inside") == nil && errno == ENOTDIR)
    #expect(FileFacts(descriptor: -1) == nil && errno == EBADF)
    #expect(FileIdentity(path: path + ".other") == nil)
  }
}
