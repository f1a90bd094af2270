import Testing

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

/// Whatever the bytes of nodes say, reading and changing ends with a value or with
/// ``DamagedRecord``.
@Suite struct CollectionTreeDamageTests {
  private static let formats: [ElementFormat] = [.fixed(width: 8), .variable]

  private func tree(_ format: ElementFormat) throws -> CollectionTree<MemoryNodes> {
    var tree = CollectionTree(MemoryNodes(), format, nodeLimit: 112)
    try tree.append(contentsOf: (0..<(format == .variable ? 60 : 80)).map { .element($0) })
    #expect(try tree.height() == 2)
    return tree
  }

  /// Runs something that may find the damage.
  private func attempt(_ body: () throws -> Void) throws {
    do { try body() } catch is DamagedRecord {}
  }

  /// Reads in every way.
  private func read(_ tree: CollectionTree<MemoryNodes>) throws {
    var count = 0
    try attempt { count = try tree.count() }
    try attempt { try tree.forEach { !$0.array.isEmpty || true } }
    try attempt { _ = try tree.nodeNumbers() }
    try attempt { _ = try tree.partitionPoint { $0.count > 0 && $0.array[$0.count - 1] > 40 } }
    for index in [0, 1, 13, 14, 33, 59, count - 1] where index >= 0 && index < count {
      try attempt { try tree.withElement(at: index) { _ = $0.array } }
      try attempt {
        let leaf = try tree.leaf(containing: index)
        for offset in 0..<min(leaf.count, 3) { _ = try leaf.element(offset).array }
      }
    }
    _ = try tree.check()
  }

  /// Changes copies in every way.
  private func write(_ tree: CollectionTree<MemoryNodes>) throws {
    var count = 0
    try attempt { count = try tree.count() }
    func change(_ body: (inout CollectionTree<MemoryNodes>) throws -> Void) throws {
      var copy = tree
      try attempt { try body(&copy) }
    }
    try change { try $0.removeAll() }
    try change { try $0.append(contentsOf: (0..<20).map { .element($0) }) }
    try change { _ = try $0.takeNumber() }
    for index in [0, 30, count - 1] where index >= 0 && index < count {
      try change { try $0.insert(.element(9), at: index) }
      try change { try $0.replace(at: index, with: .element(9)) }
      try change { tree in for _ in 0..<5 { try tree.remove(at: min(index, tree.count() - 1)) } }
      try change { try $0.removeSubrange(index / 2..<index + 1) }
    }
  }

  @Test(arguments: formats)
  func `any wrong byte is an error or reads as elements`(format: ElementFormat) throws {
    let whole = try tree(format)
    for (number, bytes) in whole.nodes.nodes {
      for offset in bytes.indices {
        for mask in [0x01, 0xFF] as [UInt8] {
          var damaged = whole
          var wrong = bytes
          wrong[offset] ^= mask
          damaged.nodes.put(number, wrong)
          try read(damaged)
          if mask == 1, number % 3 == 0 || offset < 32 { try write(damaged) }
        }
      }
    }
  }

  @Test(arguments: formats)
  func `a node that is cut or missing is an error or reads as elements`(format: ElementFormat)
    throws
  {
    let whole = try tree(format)
    for (number, bytes) in whole.nodes.nodes {
      for length in 0..<bytes.count {
        var damaged = whole
        damaged.nodes.put(number, Array(bytes[..<length]))
        try read(damaged)
        if length % 8 == 0 { try write(damaged) }
        guard length > 0 else { continue }
        #expect(try !damaged.check().isEmpty, "node \(number) cut to \(length) bytes")
      }
      var damaged = whole
      damaged.nodes.remove(number)
      try read(damaged)
      try write(damaged)
    }
  }

  @Test(arguments: formats)
  func `a node in place of another is an error or reads as elements`(format: ElementFormat) throws {
    let whole = try tree(format)
    for (number, _) in whole.nodes.nodes {
      for (_, bytes) in whole.nodes.nodes {
        var damaged = whole
        damaged.nodes.put(number, bytes)
        try read(damaged)
        try write(damaged)
      }
    }
  }

  // A leaf was counted whatever its width, and its elements were read in that width.
  @Test(arguments: [1, 2, 4, 8, 0])
  func `a leaf in a record is read only in the width of its elements`(width: Int) throws {
    let format = width == 0 ? ElementFormat.variable : .fixed(width: width)
    var leaf = NodeDraft(leafOf: format)
    for _ in 0..<3 { leaf.append([UInt8](repeating: 7, count: max(width, 1))) }
    PageBytes.with(leaf.encoded(next: 1)) { bytes in
      for other in [0, 1, 2, 4, 8] {
        let isRight = other == width
        #expect(CollectionNode.count(ofLeaf: bytes, width: other) == (isRight ? 3 : nil))
        let bits = CollectionNode.bits(ofLeaf: bytes, width: other)
        #expect((bits != nil) == (isRight && width > 0) && bits?.count ?? 3 == 3)
      }
    }
    var inner = NodeDraft(innerAt: 1)
    inner.append(CollectionNode.Child(number: 1, below: 3))
    PageBytes.with(inner.encoded(next: 2)) { bytes in
      #expect(CollectionNode.count(ofLeaf: bytes, width: width) == nil)
    }
  }

  @Test func `a child of many nodes is found and not followed`() throws {
    // Forty levels with two children each, which are the same: 2 to the power of
    // forty elements in forty nodes, all of whose counts agree.
    var tree = CollectionTree(MemoryNodes(), .fixed(width: 8))
    var leaf = NodeDraft(leafOf: .fixed(width: 8))
    leaf.append(.element(1))
    var child = try tree.put(40, leaf)
    for level in 1...40 {
      var inner = NodeDraft(innerAt: level)
      inner.append(child)
      inner.append(child)
      if level < 40 {
        child = try tree.put(UInt32(40 - level), inner)
      } else {
        tree.nodes.put(0, inner.encoded(next: 41))
      }
    }
    #expect(try tree.count() == 1 << 40)
    #expect(try tree.element(at: 1 << 39) == .element(1))
    #expect(try !tree.check().isEmpty)
    #expect(throws: DamagedRecord.self) { try tree.forEach { _ in true } }
    #expect(throws: DamagedRecord.self) { try tree.nodeNumbers() }
    var copy = tree
    #expect(throws: DamagedRecord.self) { try copy.removeAll() }
  }

  @Test func `a check says what is wrong`() throws {
    let whole = try tree(.fixed(width: 8))
    func problems(_ number: UInt32, _ offset: Int, _ byte: UInt8) throws -> [String] {
      var damaged = whole
      damaged.nodes.nodes[number]?[offset] = byte
      return try damaged.check()
    }
    #expect(
      try problems(1, 8, 11).contains(
        "node 1 of a collection has 11 elements, but its parent records 12"))
    #expect(
      try problems(1, 4, 2) == ["node 1 of a collection is not a leaf of the collection's elements"]
    )
    #expect(try problems(1, 12, 1) == ["node 1 of a collection has a wrong next number"])
    #expect(
      try problems(0, 12, 8).contains("node 8 of a collection has a number that was never assigned")
    )
    var missing = whole
    missing.nodes.remove(2)
    #expect(try missing.check() == ["node 2 of a collection is missing"])
  }
}
