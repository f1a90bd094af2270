@testable import WhimbrelEngine
@testable import WhimbrelLMDB

/// Nodes in memory that are counted when they are read and written.
final class CountedNodes: NodeStore {
  var kept = MemoryNodes()
  var reads = 0
  var writes = 0

  func node(_ number: UInt32, isChecked: Bool) -> PageBytes? {
    reads += 1
    return kept.node(number)
  }

  func put(_ number: UInt32, _ bytes: [UInt8]) {
    writes += 1
    kept.put(number, bytes)
  }

  func remove(_ number: UInt32) {
    writes += 1
    kept.remove(number)
  }
}

extension CollectionTree {
  /// All elements, in their order.
  func elements() throws -> [[UInt8]] {
    var elements: [[UInt8]] = []
    try forEach {
      elements.append($0.array)
      return true
    }
    return elements
  }

  func element(at index: Int) throws -> [UInt8] {
    try withElement(at: index) { $0.array }
  }

  /// The level of the root.
  func height() throws -> Int { try root()?.level ?? 0 }
}

extension [UInt8] {
  /// The bytes of a number, most significant first, so that they sort like it.
  static func element(_ number: Int, width: Int = 8) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: number >> (8 * (width - 1 - $0))) }
  }
}
