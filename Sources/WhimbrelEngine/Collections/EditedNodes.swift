internal import WhimbrelLMDB

/// The nodes of a collection that is being changed: in memory if they came from a record, otherwise
/// in the overflow.
enum EditedNodes: NodeStore {
  case memory(MemoryNodes)
  case stored(CollectionNodes)

  func node(_ number: UInt32, isChecked: Bool) throws -> PageBytes? {
    switch self {
    case .memory(let nodes): nodes.node(number)
    case .stored(let nodes): try nodes.node(number, isChecked: isChecked)
    }
  }

  mutating func put(_ number: UInt32, _ bytes: [UInt8]) throws {
    switch self {
    case .memory(var nodes):
      // Drops the enum's own reference, so that the change does not copy the nodes.
      self = .memory(MemoryNodes())
      nodes.put(number, bytes)
      self = .memory(nodes)
    case .stored(var nodes): try nodes.put(number, bytes)
    }
  }

  mutating func remove(_ number: UInt32) throws {
    switch self {
    case .memory(var nodes):
      self = .memory(MemoryNodes())
      nodes.remove(number)
      self = .memory(nodes)
    case .stored(var nodes): try nodes.remove(number)
    }
  }

  /// Returns the overflow that contains the long elements.
  func overflow() -> Overflow {
    switch self {
    case .memory(let nodes): Overflow(nodes)
    case .stored(let nodes): nodes.overflow
    }
  }
}
