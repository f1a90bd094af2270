package import WhimbrelLMDB

/// The nodes of a collection in memory: those of a small collection or of one that is being built.
/// Copies are independent.
package struct MemoryNodes: NodeStore {
  // Invariant: A box never changes. Its bytes stay valid until the number is put or removed, and
  // copies of this value can share it.
  private final class Box {
    private let buffer: ByteBuffer

    init(_ bytes: [UInt8]) {
      buffer = ByteBuffer(bytes)
    }

    var bytes: PageBytes { buffer.bytes }
  }

  private var boxes: [UInt32: Box] = [:]

  package init() {}

  /// Copies of all nodes, by number.
  ///
  /// - Complexity: O(*n*) in the bytes of all nodes.
  package var nodes: [UInt32: [UInt8]] {
    get { boxes.mapValues { $0.bytes.array } }
    set { boxes = newValue.mapValues { Box($0) } }
  }

  package var count: Int { boxes.count }

  /// The numbers of all nodes, in ascending order.
  package var numbers: [UInt32] { boxes.keys.sorted() }

  package func node(_ number: UInt32, isChecked: Bool = false) -> PageBytes? {
    boxes[number]?.bytes
  }

  package mutating func put(_ number: UInt32, _ bytes: [UInt8]) {
    boxes[number] = Box(bytes)
  }

  package mutating func remove(_ number: UInt32) {
    boxes[number] = nil
  }
}
