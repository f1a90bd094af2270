import Foundation
import Testing

@testable import WhimbrelLMDB

/// A file in memory whose pages are changed on purpose, field by field.
struct PageEditor {
  var bytes: [UInt8]
  let pageSize: Int
  let structure: FileStructure
  private let folder: StructureTestFolder

  init() throws {
    let damage = try DamageCase(variant: 1)
    (bytes, pageSize, folder) = (damage.bytes, damage.pageSize, damage.folder)
    structure = try FileStructure.inspect(path: folder.file("healthy.mdb"))
  }

  func load(_ count: Int, at offset: Int) -> Int {
    bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  mutating func store(_ value: Int, _ count: Int, at offset: Int) {
    bytes.replaceSubrange(offset..<offset + count, with: integerKey(UInt64(value))[..<count])
  }

  func start(ofPage page: Int) -> Int { page * pageSize }

  /// Where node `index` of a page starts in the file.
  func node(_ index: Int, ofPage page: Int) -> Int {
    start(ofPage: page) + load(2, at: start(ofPage: page) + 16 + 2 * index)
  }

  func nodeCount(ofPage page: Int) -> Int { (load(2, at: start(ofPage: page) + 12) - 16) / 2 }

  /// Where the value of a node in a leaf page starts in the file.
  func value(ofNode node: Int) -> Int { node + 8 + load(2, at: node + 6) }

  var mainRoot: Int { Int(structure.main.root) }

  /// Where the header of a named table starts in the file.
  func header(ofTable name: String) throws -> Int {
    let node = try #require(
      (0..<nodeCount(ofPage: mainRoot)).map { self.node($0, ofPage: mainRoot) }.first {
        bytes[$0 + 8..<value(ofNode: $0)].elementsEqual(name.utf8)
      })
    return value(ofNode: node)
  }

  func root(ofTable name: String) throws -> Int { load(8, at: try header(ofTable: name) + 40) }

  private func write() throws -> String {
    let path = folder.file("edited.mdb")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// What the check counts in the changed file.
  func count() throws -> FileStructure.PageCount {
    try FileStructure.inspect(path: try write()).checkPages()
  }

  /// What the check says of the changed file.
  func damage() throws -> (page: Int, reason: FileStructure.Damage)? {
    let path = try write()
    do throws(FileStructure.Failure) {
      _ = try FileStructure.inspect(path: path).checkPages()
      return nil
    } catch {
      guard case .damaged(let page, let reason) = error else { throw error }
      return (Int(page), reason)
    }
  }
}

@Suite struct DamageReasonTests {
  private var editor: PageEditor
  /// The root of a table of two levels, and its first two leaf pages.
  private let (branch, first, second): (Int, Int, Int)

  init() throws {
    editor = try PageEditor()
    branch = try editor.root(ofTable: "numbers")
    first = editor.load(4, at: editor.node(0, ofPage: branch))
    second = editor.load(4, at: editor.node(1, ofPage: branch))
    #expect(try editor.damage() == nil)
  }

  private func expect(
    _ reason: FileStructure.Damage, on page: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let damage = try editor.damage()
    #expect(damage?.reason == reason, sourceLocation: sourceLocation)
    #expect(damage?.page == page, sourceLocation: sourceLocation)
  }

  @Test mutating func `keys in the wrong order are named`() throws {
    let offsets = editor.start(ofPage: first) + 16
    let (one, two) = (editor.load(2, at: offsets), editor.load(2, at: offsets + 2))
    editor.store(two, 2, at: offsets)
    editor.store(one, 2, at: offsets + 2)
    try expect(.keyOrder(node: 1), on: first)
  }

  @Test mutating func `pages in the wrong order are named`() throws {
    editor.store(second, 4, at: editor.node(0, ofPage: branch))
    editor.store(first, 4, at: editor.node(1, ofPage: branch))
    let last = editor.nodeCount(ofPage: second) - 1
    try expect(.keyOutOfRange(node: last), on: second)
  }

  @Test mutating func `a page that two others lead to is named`() throws {
    editor.store(first, 4, at: editor.node(1, ofPage: branch))
    try expect(.reachedTwice, on: first)
  }

  @Test(arguments: [0, 1, 1 << 30])
  mutating func `a page outside the file is named`(page: Int) throws {
    editor.store(page, 4, at: editor.node(1, ofPage: branch))
    try expect(.pageOutOfBounds(UInt64(page)), on: branch)
  }

  @Test mutating func `a page with another page's number is named`() throws {
    editor.store(second, 8, at: editor.start(ofPage: first))
    try expect(.pageNumber(UInt64(second)), on: first)
  }

  @Test(arguments: [0x00, 0x01, 0x04, 0x12, 0x22, 0x42])
  mutating func `a page of the wrong kind is named`(flags: Int) throws {
    editor.store(flags, 2, at: editor.start(ofPage: first) + 10)
    try expect(.pageFlags(UInt16(flags)), on: first)
  }

  @Test mutating func `a branch page that leads to one page only is named`() throws {
    editor.store(18, 2, at: editor.start(ofPage: branch) + 12)
    try expect(.tooFewNodes(1), on: branch)
  }

  @Test mutating func `bounds that cross are named`() throws {
    let lower = editor.load(2, at: editor.start(ofPage: first) + 12)
    editor.store(lower - 2, 2, at: editor.start(ofPage: first) + 14)
    try expect(.freeSpace(lower: lower, upper: lower - 2), on: first)
  }

  @Test mutating func `a node outside its page is named`() throws {
    editor.store(editor.pageSize - 4, 2, at: editor.start(ofPage: first) + 16)
    try expect(.nodeOffset(node: 0, editor.pageSize - 4), on: first)
  }

  @Test mutating func `a gap between nodes is named`() throws {
    let node = editor.node(1, ofPage: first)
    editor.store(editor.load(4, at: node) - 2, 4, at: node)
    try expect(.nodesNotContiguous, on: first)
  }

  @Test mutating func `two nodes in the same place are named`() throws {
    let offsets = editor.start(ofPage: first) + 16
    editor.store(editor.load(2, at: offsets), 2, at: offsets + 2)
    try expect(.nodesNotContiguous, on: first)
  }

  @Test mutating func `a node longer than any may be is named`() throws {
    editor.store(0xFFFF, 4, at: editor.node(0, ofPage: first))
    try expect(.nodeSize(node: 0, 0xFFFF + 16), on: first)
  }

  @Test(arguments: [0x04, 0x08, 0x03])
  mutating func `unknown flags of a node are named`(flags: Int) throws {
    editor.store(flags, 2, at: editor.node(0, ofPage: first) + 4)
    try expect(.nodeFlags(node: 0, UInt16(flags)), on: first)
  }

  @Test mutating func `a value longer than its overflow pages is named`() throws {
    let root = try editor.root(ofTable: "blobs")
    let node = editor.node(0, ofPage: root)
    let count = editor.load(4, at: editor.start(ofPage: editor.load(8, at: node + 9)) + 12)
    editor.store(count * editor.pageSize, 4, at: node)
    try expect(
      .overflowPages(node: 0, count: UInt32(count), needed: UInt64(count + 1)), on: root)
  }

  @Test(arguments: [
    (FileStructure.TableCount.branchPages, 8), (.leafPages, 16), (.overflowPages, 24),
    (.entries, 32),
  ])
  mutating func `a table that counts wrongly is named`(
    what: FileStructure.TableCount, offset: Int
  ) throws {
    let field = try editor.header(ofTable: "numbers") + offset
    let found = editor.load(8, at: field)
    editor.store(found + 1, 8, at: field)
    try expect(
      .tableCount(what, recorded: UInt64(found + 1), found: UInt64(found)), on: editor.mainRoot)
  }

  @Test(arguments: [0, 33])
  mutating func `an impossible depth is named`(depth: Int) throws {
    editor.store(depth, 2, at: try editor.header(ofTable: "numbers") + 6)
    try expect(.tableRoot(root: UInt64(branch), depth: depth), on: editor.mainRoot)
  }

  @Test(arguments: [0x02, 0x04, 0x10, 0x8000])
  mutating func `unsupported flags of a table are named`(flags: Int) throws {
    editor.store(flags, 2, at: try editor.header(ofTable: "words") + 4)
    try expect(.tableFlags(UInt16(flags)), on: editor.mainRoot)
  }

  @Test mutating func `damage to the list of free pages is named`() throws {
    let healthy = editor
    let root = Int(editor.structure.freeList.root)
    let last = editor.nodeCount(ofPage: root) - 1
    let node = editor.node(last, ofPage: root)
    let list = editor.value(ofNode: node)
    let length = editor.load(8, at: list)
    try #require(editor.structure.freeList.depth == 1 && length >= 2)

    editor.store(1_000_000, 8, at: list)
    try expect(.freeListLength(node: last, 1_000_000), on: root)
    editor = healthy
    editor.store(editor.load(8, at: list + 8), 8, at: list + 16)
    try expect(.freeListOrder(node: last), on: root)
    editor = healthy
    editor.store(1, 8, at: list + 8 * length)
    try expect(.pageOutOfBounds(1), on: root)
    editor = healthy
    editor.store(1 << 40, 8, at: node + 8)
    try expect(.freeListTransaction(1 << 40), on: root)

    editor = healthy
    let lowest = try #require([first, second, branch].min())
    try #require(lowest < editor.load(8, at: list + 8 * (length - 1)))
    editor.store(lowest, 8, at: list + 8 * length)
    try expect(.freePageInUse(UInt64(lowest)), on: root)
  }

  @Test mutating func `a page neither used nor free is counted, and no damage`() throws {
    let root = Int(editor.structure.freeList.root)
    let node = editor.node(editor.nodeCount(ofPage: root) - 1, ofPage: root)
    let list = editor.value(ofNode: node)
    let healthy = try editor.count()
    editor.store(editor.load(8, at: list) - 1, 8, at: list)
    let count = try editor.count()
    #expect(healthy.lostPages == 0)
    #expect(count.lostPages == 1)
    #expect(count.freePages == healthy.freePages - 1)
  }
}
