import Testing

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

@Suite struct CollectionTreeTests {
  private static let formats: [ElementFormat] = [.fixed(width: 8), .variable]

  private func tree(
    _ format: ElementFormat, _ count: Int, nodeLimit: Int = 128
  ) throws -> CollectionTree<MemoryNodes> {
    var tree = CollectionTree(MemoryNodes(), format, nodeLimit: nodeLimit)
    try tree.append(contentsOf: (0..<count).map { .element($0) })
    return tree
  }

  @Test(arguments: formats)
  func `no bytes are an empty collection`(format: ElementFormat) throws {
    for root in [nil, []] as [[UInt8]?] {
      var nodes = MemoryNodes()
      nodes.nodes[0] = root
      var tree = CollectionTree(nodes, format)
      #expect(try tree.count() == 0)
      #expect(try tree.elements() == [])
      #expect(try tree.partitionPoint { _ in true }.index == 0)
      #expect(try tree.check() == [])
      try tree.removeSubrange(0..<0)
      #expect(try tree.nodeNumbers() == (root == nil ? [] : [0]))
      try tree.insert(.element(7), at: 0)
      #expect(try tree.elements() == [.element(7)])
      #expect(try tree.takeNumber() == 1)
    }
  }

  @Test func `the bytes of nodes are as the format says`() throws {
    var fixed = CollectionTree(MemoryNodes(), .fixed(width: 3))
    try fixed.append(contentsOf: [[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    #expect(
      fixed.nodes.nodes == [
        0: [0, 0, 0, 0, 1, 0, 3, 0, 3, 0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
          + [0, 0, 0, 0, 0, 0, 0]
      ])
    var variable = CollectionTree(MemoryNodes(), .variable)
    try variable.append(contentsOf: [[1], [], [2, 3]])
    #expect(
      variable.nodes.nodes == [
        0: [0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0]
          + [1, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 1, 2, 3, 0]
      ])
    let inner = try tree(.fixed(width: 8), 15).nodes.nodes[0]
    #expect(
      inner == [0, 0, 0, 0, 3, 1, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]
        + [1, 0, 0, 0, 0, 0, 0, 0, 14, 0, 0, 0, 0, 0, 0, 0]
        + [2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test(arguments: formats)
  func `elements are found by position, one by one and by leaves`(format: ElementFormat) throws {
    let tree = try tree(format, 2_000)
    #expect(try tree.height() >= 3)
    #expect(try tree.count() == 2_000)
    var index = 0
    while index < 2_000 {
      let leaf = try tree.leaf(containing: index)
      #expect(leaf.start == index)
      for offset in 0..<leaf.count {
        #expect(try leaf.element(offset).isEqual(to: .element(index + offset)))
      }
      index += leaf.count
    }
    for index in stride(from: 0, to: 2_000, by: 7) {
      #expect(try tree.element(at: index) == .element(index))
    }
    var visited = 0
    try tree.forEach { _ in
      visited += 1
      return visited < 100
    }
    #expect(visited == 100)
  }

  @Test(arguments: formats)
  func `a partition point is found between any two elements`(format: ElementFormat) throws {
    let tree = try tree(format, 700)
    for point in 0...700 {
      let found = try tree.partitionPoint { bytes in bytes.loadBigEndian(at: 0) >= point }.index
      #expect(found == point)
    }
  }

  @Test(arguments: formats)
  func `appending leaves full leaves behind`(format: ElementFormat) throws {
    let built = try tree(format, 3_000)
    var grown = CollectionTree(MemoryNodes(), format, nodeLimit: 128)
    for number in 0..<3_000 { try grown.insert(.element(number), at: number) }
    #expect(try grown.check() == [])
    #expect(try built.check() == [])
    #expect(try grown.elements() == built.elements())
    #expect(grown.nodes.count == built.nodes.count)
    let perLeaf = format == .variable ? 112 / 12 : 112 / 8
    #expect(built.nodes.count <= 3_000 / perLeaf * 7 / 6 + 4)
    // The end may shrink and grow without the nodes before it being touched.
    for _ in 0..<50 { try grown.remove(at: grown.count() - 1) }
    for number in 2_950..<3_000 { try grown.insert(.element(number), at: number) }
    #expect(grown.nodes.count == built.nodes.count)
  }

  @Test(arguments: formats)
  func `a queue stays small and keeps giving out new numbers`(format: ElementFormat) throws {
    var tree = try tree(format, 100)
    let first = try tree.takeNumber()
    for number in 100..<1_000 {
      try tree.insert(.element(number), at: tree.count())
      try tree.remove(at: 0)
    }
    #expect(try tree.elements() == (900..<1_000).map { .element($0) })
    #expect(try tree.check() == [])
    #expect(tree.nodes.count < 25)
    #expect(try tree.takeNumber() > first)
  }

  @Test(arguments: formats)
  func `what is emptied keeps its kind and its next number`(format: ElementFormat) throws {
    var tree = try tree(format, 500)
    let number = try tree.takeNumber()
    try tree.removeAll()
    #expect(tree.nodes.numbers == [0])
    #expect(try tree.root()?.count == 0)
    #expect(try tree.takeNumber() == number + 1)
    #expect(try tree.check() == [])
    try tree.append(contentsOf: (0..<500).map { .element($0) })
    try tree.removeSubrange(0..<500)
    #expect(tree.nodes.numbers == [0])
    try tree.append(contentsOf: (0..<500).map { .element($0) })
    for _ in 0..<500 { try tree.remove(at: 0) }
    #expect(tree.nodes.numbers == [0])
    #expect(try tree.check() == [])
  }

  @Test(arguments: formats)
  func `any range can be removed`(format: ElementFormat) throws {
    let whole = try tree(format, 300)
    let numbers = (0..<300).map { [UInt8].element($0) }
    for lower in stride(from: 0, through: 300, by: 17) {
      for upper in stride(from: lower, through: 300, by: 13) {
        var tree = whole
        try tree.removeSubrange(lower..<upper)
        #expect(try tree.elements() == Array(numbers[..<lower] + numbers[upper...]))
        #expect(try tree.check() == [])
        #expect(try tree.nodeNumbers().sorted() == tree.nodes.numbers || tree.count() == 0)
      }
    }
  }

  @Test func `only children find a sibling when their parents are merged`() throws {
    // Cuts close to the edges of nodes, so that chains of single children remain on
    // both sides of what is removed.
    let count = 3_000
    let whole = try tree(.fixed(width: 8), count, nodeLimit: 112)
    #expect(try whole.height() == 4)
    for lower in stride(from: 0, to: count, by: 216) {
      for upper in stride(from: lower + 72, to: count, by: 72) {
        for (before, after) in [(1, 0), (1, 1), (2, 3), (13, 2)] {
          var tree = whole
          try tree.removeSubrange(lower + before..<upper + after)
          #expect(try tree.check() == [])
          #expect(try tree.count() == count - (upper + after - lower - before))
        }
      }
    }
  }

  @Test func `elements larger than a node have leaves of their own`() throws {
    var tree = try tree(.variable, 100)
    let large = [UInt8](repeating: 9, count: 32_768)
    var expected = (0..<100).map { [UInt8].element($0) }
    for index in [0, 50, 51, 102, 103] {
      try tree.insert(large, at: index)
      expected.insert(large, at: index)
      #expect(try tree.check() == [])
    }
    try tree.append(contentsOf: [large, [], large])
    expected += [large, [], large]
    #expect(try tree.elements() == expected)
    #expect(try tree.check() == [])
    for index in expected.indices where expected[index].count > 8 {
      try tree.replace(at: index, with: [])
      expected[index] = []
      #expect(try tree.check() == [])
    }
    #expect(try tree.elements() == expected)
    for index in [0, 30, 60] {
      try tree.replace(at: index, with: large)
      expected[index] = large
      #expect(try tree.check() == [])
    }
    #expect(try tree.elements() == expected)
    while expected.count > 1 {
      try tree.remove(at: expected.count - 1)
      expected.removeLast()
    }
    #expect(try tree.elements() == [large])
    #expect(try tree.height() == 0)
    #expect(try tree.check() == [])
  }

  @Test func `replacing with the same size writes one node`() throws {
    for format in Self.formats {
      var tree = CollectionTree(CountedNodes(), format, nodeLimit: 128)
      try tree.append(contentsOf: (0..<1_000).map { .element($0) })
      tree.nodes.writes = 0
      try tree.replace(at: 500, with: .element(7))
      #expect(tree.nodes.writes == 1)
      #expect(try tree.element(at: 500) == .element(7))
      #expect(try tree.check() == [])
    }
  }

  @Test func `numbers are not given out twice, and run out with an error`() throws {
    var tree = try tree(.fixed(width: 8), 10)
    tree.nodes.nodes[0]?.replaceSubrange(12..<16, with: [0xFE, 0xFF, 0xFF, 0xFF])
    #expect(try tree.takeNumber() == 0xFFFF_FFFE)
    #expect(throws: DamagedRecord.self) { try tree.takeNumber() }
    #expect(throws: DamagedRecord.self) {
      try tree.append(contentsOf: (0..<100).map { .element($0) })
    }
  }

  @Test func `copies of nodes in memory are independent`() throws {
    let tree = try tree(.fixed(width: 8), 100)
    var other = tree
    try other.removeSubrange(10..<90)
    #expect(try tree.count() == 100)
    #expect(try other.count() == 20)
    #expect(try tree.check() == [])
  }
}
