import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

@Suite struct CollectionTreeSizeTests {
  @Test func `a million elements are built full and changed in a few nodes`() throws {
    let nodes = CountedNodes()
    var tree = CollectionTree(nodes, .fixed(width: 8))
    let element = [UInt8].element(1)
    try tree.append(contentsOf: repeatElement(element, count: 1_000_000))
    #expect(try tree.count() == 1_000_000)
    #expect(try tree.height() == 2)
    #expect(nodes.writes == nodes.kept.count)
    #expect(nodes.kept.count < 1_000_000 / 235 + 60)

    func writes(_ change: () throws -> Void) rethrows -> Int {
      nodes.writes = 0
      try change()
      return nodes.writes
    }
    for index in [0, 500_000, 999_999] {
      #expect(try writes { try tree.insert(.element(2), at: index) } < 8)
      #expect(try writes { try tree.replace(at: index, with: .element(3)) } == 1)
      nodes.reads = 0
      #expect(try tree.element(at: index) == .element(3))
      #expect(nodes.reads == 3)
      #expect(try writes { try tree.remove(at: index) } < 8)
    }
    nodes.reads = 0
    #expect(try tree.partitionPoint { $0.loadBigEndian(at: 0) > 1 }.index == 1_000_000)
    #expect(nodes.reads < 30)
    nodes.reads = 0
    try tree.removeSubrange(1_000..<990_000)
    #expect(nodes.reads < 60)
    #expect(try tree.count() == 11_000)
    #expect(try tree.check() == [])
    #expect(try tree.nodeNumbers().sorted() == nodes.kept.numbers)
  }

  @Test func `leaves of small elements of any sizes stay filled`() throws {
    var random = SeededGenerator(seed: 11)
    var tree = CollectionTree(MemoryNodes(), .variable, nodeLimit: 256)
    var bytes = 0
    for count in 0..<1_500 {
      let element = [UInt8](repeating: 1, count: Int.random(in: 0...12, using: &random))
      bytes += element.count + 4
      try tree.insert(element, at: Int.random(in: 0...count, using: &random))
    }
    #expect(tree.nodes.count < bytes / 120)
    while try tree.count() > 300 {
      try tree.remove(at: Int.random(in: 0..<tree.count(), using: &random))
    }
    #expect(try tree.check() == [])
    #expect(tree.nodes.count < bytes / 5 / 60)
  }
}
