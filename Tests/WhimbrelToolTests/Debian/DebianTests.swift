import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelSampling
import WhimbrelTestSupport

/// What the tool does, with a store of tens of thousands of real objects.
@Suite(.enabled(if: DebianStore.isAvailable, "\(DebianStore.reason)"))
struct DebianTests {
  private let store: DebianStore
  private let folder: TestFolder

  init() throws {
    store = try DebianStore.shared()
    folder = try TestFolder()
  }

  @Test(.takesLong) func `the store is large, linked and whole`() throws {
    #expect(store.packages > 1_000)
    #expect(store.links > 3_000)
    #expect(store.addresses.count > 100)
    #expect(try integrityFindings(store.path) == [])
    if TestRun.isLong {
      #expect(store.packages > 60_000)
      #expect(store.links > 250_000)
    }
  }

  @Test func `a dump that is loaded and dumped is the same dump`() throws {
    try expectRoundTrip(of: store.path, in: folder)
  }

  @Test(.takesLong) func `no maintainer is left in an anonymized store`() throws {
    let path = folder.path("out.whimbrel")
    let inspector = try StoreInspector(path: store.path)
    let key = try AnonymizationKey(text: "Debian")
    let summary = try StoreAnonymization(inspector, key: key).write(to: .newFile(path))
    #expect(try integrityFindings(path) == [])
    #expect(summary.warnings == [])
    let description = try StoreInspector(path: path).description()
    #expect(
      try description.classes.map(\.objects) == inspector.description().classes.map(\.objects))
    let found = addresses(in: try Data(contentsOf: URL(filePath: path)))
    #expect(found.count > store.addresses.count / 2)
    #expect(found.isDisjoint(with: store.addresses))
    let ends = found.map { $0.lowercased() }
    #expect(ends.allSatisfy { $0.hasSuffix(".test") || $0.hasSuffix(".zz") })
    #expect(
      addresses(in: try Data(contentsOf: URL(filePath: store.path))).isSuperset(of: store.addresses)
    )
  }

  /// What stands in angle brackets with an `@`, anywhere in a file.
  private func addresses(in bytes: Data) -> Set<String> {
    var found: Set<String> = []
    var bytes = ArraySlice(bytes)
    while let start = bytes.firstIndex(of: UInt8(ascii: "<")) {
      bytes = bytes[(start + 1)...]
      guard let end = bytes.prefix(100).firstIndex(of: UInt8(ascii: ">")) else { continue }
      let text = String(decoding: bytes[..<end], as: UTF8.self)
      if text.wholeMatch(of: /[!-;=?-~]+@[!-;=?-~]+/) != nil { found.insert(text) }
    }
    return found
  }
}
