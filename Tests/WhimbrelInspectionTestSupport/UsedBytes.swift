package import Foundation
package import WhimbrelTestSupport

/// The bytes of a healthy store's file that have a meaning. They are found by following LMDB's
/// structures from the newest meta page, independently of the code under test.
///
/// **These bytes count**: in the newest meta page the magic number, the version, the two trees, the
/// last page and the transaction; in every page of these trees the number, the kind, the bounds of
/// the free space and the offsets of the nodes; in every node its header, its key and its value; in
/// an overflow run the header of its first page and the bytes of the value; in an entry of the free
/// list the count and the numbers of the pages.
///
/// **These bytes do not count**, because nothing reads them or because a change gives another valid
/// file:
/// - the older meta page, stale and free pages, unused space in pages, the byte that pads a node to
///   an even length, the two bytes of a page header that LMDB does not use, the bytes after the
///   value in an overflow page, the address and the size of the map;
/// - the key of the first node of a branch page, which stands for all lower keys;
/// - a key in a branch page that still separates the same entries;
/// - the transaction of a free list entry while the entries stay in order, and the space after its
///   pages: it only says when the pages may be reused;
/// - a next object ID that is still greater than every object ID, and the next object ID of a class
///   without objects;
/// - the transaction of the newest meta page when the older meta page then is the newest: the
///   commit before is intact, and nothing shows that there was a later one.
package struct UsedBytes {
  /// A range of bytes, with a test for harmless changes.
  package struct Part {
    package let range: Range<Int>
    package let what: String
    package var isHarmless: ([UInt8]) -> Bool = { _ in false }
  }

  /// An entry of a table, with the pages that hold it.
  package struct Entry {
    package let table: String
    package let key: [UInt8]
    package let pages: Set<Int>
  }

  package private(set) var parts: [Part] = []
  package private(set) var entries: [Entry] = []
  /// The pages of each tree. The name of the main tree is "", and that of the free list is "free".
  package private(set) var pages: [String: Set<Int>] = [:]
  package private(set) var roots: [String: Int] = [:]
  package let pageSize: Int
  package let metaPage: Int
  private let bytes: [UInt8]
  private var tree = ""
  /// The greatest key of each class table.
  private var lastIDs: [String: UInt64] = [:]

  package init(_ data: Data) {
    bytes = Array(data)
    pageSize = 4_096
    let transactions = [Self.number(bytes, 144, 8), Self.number(bytes, 4_096 + 144, 8)]
    metaPage = transactions[0] < transactions[1] ? 1 : 0
    addMeta(other: transactions[1 - metaPage])
  }

  private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> UInt64 {
    (0..<count).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
  }

  private func number(_ offset: Int, _ count: Int) -> Int {
    Int(truncatingIfNeeded: Self.number(bytes, offset, count))
  }

  private mutating func add(
    _ start: Int, _ count: Int, _ what: String,
    unless isHarmless: @escaping ([UInt8]) -> Bool = { _ in false }
  ) {
    if count > 0 {
      parts.append(Part(range: start..<start + count, what: what, isHarmless: isHarmless))
    }
  }

  private mutating func addMeta(other: UInt64) {
    let base = metaPage * pageSize
    add(base, 8, "meta page number")
    add(base + 10, 2, "meta page flags")
    add(base + 16, 8, "magic and version")
    add(base + 40, 48, "free list's tree")
    add(base + 88, 48, "main tree")
    add(base + 136, 8, "last page")
    add(base + 144, 8, "transaction") { Self.number($0, 0, 8) &+ 1 == other }
    addTree(base + 88, "")
    addTree(base + 40, "free")
    addNextObjectIDs()
  }

  /// Adds the tests for next object IDs, which need the complete main tree.
  private mutating func addNextObjectIDs() {
    for (index, part) in parts.enumerated() where part.what.hasPrefix("next.") {
      let last = lastIDs.first { $0.key.hasPrefix("c\(part.what.dropFirst(5))" + ".g") }?.value
      parts[index] = Part(range: part.range, what: part.what) { changed in
        guard let last, changed.count == 8 else { return last == nil }
        return Self.number(changed, 0, 8) > last
      }
    }
  }

  private mutating func addTree(_ header: Int, _ name: String) {
    let depth = number(header + 6, 2)
    let before = tree
    defer { tree = before }
    tree = name
    guard depth > 0 else { return }
    roots[name] = number(header + 40, 8)
    addPage(number(header + 40, 8), level: depth - 1, flags: number(header + 4, 2))
  }

  private mutating func addPage(_ page: Int, level: Int, flags: Int) {
    pages[tree, default: []].insert(page)
    let base = page * pageSize
    let lower = number(base + 12, 2)
    add(base, 8, "page number")
    add(base + 10, 6, "page header")
    add(base + 16, lower - 16, "places of nodes")
    let nodes = (0..<(lower - 16) / 2).map { base + number(base + 16 + 2 * $0, 2) }
    for (index, node) in nodes.enumerated() {
      if level == 0 {
        addEntry(nodes, index, page)
      } else {
        add(node, 8, "child")
        let child = number(node, 4) | number(node + 4, 2) << 32
        addPage(child, level: level - 1, flags: flags)
        if index > 0 { addSeparator(node, nodes[index - 1], child, level, flags & 8 != 0) }
      }
    }
  }

  private mutating func addSeparator(
    _ node: Int, _ before: Int, _ child: Int, _ level: Int, _ isInteger: Bool
  ) {
    let left = edge(number(before, 4) | number(before + 4, 2) << 32, level - 1, isLast: true)
    let right = edge(child, level - 1, isLast: false)
    func precedes(_ first: [UInt8], _ second: [UInt8]) -> Bool {
      isInteger
        ? Self.number(first, 0, 8) < Self.number(second, 0, 8)
        : first.lexicographicallyPrecedes(second)
    }
    add(node + 8, number(node + 6, 2), "separator") { changed in
      precedes(left, changed) && !precedes(right, changed)
    }
  }

  /// Returns the first or last key below a page.
  private func edge(_ page: Int, _ level: Int, isLast: Bool) -> [UInt8] {
    let base = page * pageSize
    let count = (number(base + 12, 2) - 16) / 2
    let node = base + number(base + 16 + 2 * (isLast ? count - 1 : 0), 2)
    if level > 0 {
      return edge(number(node, 4) | number(node + 4, 2) << 32, level - 1, isLast: isLast)
    }
    return Array(bytes[node + 8..<node + 8 + number(node + 6, 2)])
  }
}

// MARK: - Entries

extension UsedBytes {
  private mutating func addEntry(_ nodes: [Int], _ index: Int, _ page: Int) {
    let node = nodes[index]
    let (size, keySize) = (number(node, 4), number(node + 6, 2))
    let isOutside = number(node + 4, 2) == 1
    let value = node + 8 + keySize
    let key = Array(bytes[node + 8..<value])
    if tree == "free" { return addFree(nodes, index, value, size, isOutside) }
    add(node, 8, "node header")
    let name = String(decoding: key, as: UTF8.self)
    let isNext = tree == "" && name.hasPrefix("next.")
    if isNext {
      add(node + 8, keySize, name) { _ in false }
    } else {
      add(node + 8, keySize, "key of '\(tree)'")
    }
    var place = Set([page])
    if isOutside {
      add(value, 8, "place of a long value")
      let first = number(value, 8)
      for part in 0..<number(first * pageSize + 12, 4) { place.insert(first + part) }
      pages[tree, default: []].formUnion(place)
      addOverflow(first, size, "long value of '\(tree)'")
    } else {
      add(value, size, isNext ? name : "value of '\(tree)'")
    }
    entries.append(Entry(table: tree, key: key, pages: place))
    if key.count == 8, tree.split(separator: ".").count == 2 {
      lastIDs[tree] = max(lastIDs[tree] ?? 0, Self.number(key, 0, 8))
    }
    if number(node + 4, 2) == 2 { addTree(value, name) }
  }

  private mutating func addOverflow(_ first: Int, _ size: Int, _ what: String) {
    add(first * pageSize, 8, "overflow page number")
    add(first * pageSize + 10, 6, "overflow page header")
    add(first * pageSize + 16, size, what)
  }

  private mutating func addFree(
    _ nodes: [Int], _ index: Int, _ value: Int, _ size: Int, _ isOutside: Bool
  ) {
    let node = nodes[index]
    let newest = Self.number(bytes, metaPage * pageSize + 144, 8)
    let before = index > 0 ? Self.number(bytes, nodes[index - 1] + 8, 8) : 0
    let after = index + 1 < nodes.count ? Self.number(bytes, nodes[index + 1] + 8, 8) : newest + 1
    add(isOutside ? node + 4 : node, isOutside ? 4 : 8, "node header of the free list")
    add(node + 8, 8, "transaction of the free list") { changed in
      let number = Self.number(changed, 0, 8)
      return number > before && number < after
    }
    let first = isOutside ? number(value, 8) : 0
    let start = isOutside ? first * pageSize + 16 : value
    let count = number(start, 8)
    if isOutside {
      add(value, 8, "place of a long free list")
      addOverflow(first, 8 + 8 * count, "long free list")
      pages["free", default: []].insert(first)
    } else {
      add(value, 8 + 8 * count, "free list")
    }
  }
}

/// A damage to used bytes that depends only on a seed.
package struct SeededDamage {
  package let offset: Int
  package let bytes: [UInt8]
  package let what: String

  /// Changes a bit, a byte or a word of a random used byte so that its meaning changes.
  package init(of used: UsedBytes, in data: Data, _ random: inout SeededGenerator) {
    // Every kind of bytes gets its share, even if it is rare.
    let kinds = Dictionary(grouping: used.parts, by: \.what)
    while true {
      let isEven = Bool.random(using: &random)
      let parts =
        isEven
        ? kinds[kinds.keys.sorted().randomElement(using: &random) ?? ""] ?? [] : used.parts
      guard let part = parts.randomElement(using: &random) else { continue }
      var changed = Array(data[part.range])
      let index = Int.random(in: changed.indices, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: changed[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: changed[index] = .random(in: 0...255, using: &random)
      default:
        for index in index..<min(index + 8, changed.count) {
          changed[index] = .random(in: 0...255, using: &random)
        }
      }
      if changed == Array(data[part.range]) || part.isHarmless(changed) { continue }
      (offset, bytes, what) = (part.range.lowerBound, changed, part.what)
      return
    }
  }
}
