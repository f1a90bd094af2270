internal import WhimbrelLMDB

/// The overflow that an encoder has built for an object but not written, by property.
final class PendingOverflow {
  /// The pending overflow of one property.
  enum Content {
    /// The chunks of a value, or the nodes of a collection with the chunks of its long elements.
    case nodes(MemoryNodes)
    /// A copy of the overflow of another property, which can be in another table.
    case copied(Overflow, PropertyID)
  }

  // Safe: no other code accesses the dictionary while it is changed.
  @safe @exclusivity(unchecked) private(set) var contents: [PropertyID: Content] = [:]

  var isEmpty: Bool { contents.isEmpty }

  /// The same, or nil if it is empty.
  var ifAny: PendingOverflow? { isEmpty ? nil : self }

  func removeAll() {
    if !isEmpty { contents.removeAll() }
  }

  subscript(property: PropertyID) -> Content? {
    get { contents[property] }
    set { contents[property] = newValue }
  }

  func entry(_ property: PropertyID, _ number: UInt32) throws -> PageBytes? {
    switch contents[property] {
    case .nodes(let nodes): nodes.node(number)
    case .copied(let overflow, let other): try overflow.entry(other, number)
    case nil: nil
    }
  }

  /// Splits a long value into chunks and keeps them.
  func put(_ property: PropertyID, chunksOf bytes: [UInt8]) {
    var nodes = MemoryNodes()
    for (number, chunk) in Overflow.chunks(bytes).enumerated() {
      nodes.put(UInt32(number), chunk)
    }
    contents[property] = .nodes(nodes)
  }

  /// Calls `body` with each overflow entry, in order. The entries do not have their checksums yet.
  func forEach(_ body: (PropertyID, UInt32, PageBytes) throws -> Void) throws {
    for (property, content) in contents.sorted(by: { $0.key < $1.key }) {
      switch content {
      case .nodes(let nodes):
        for number in nodes.numbers.sorted() {
          if let node = nodes.node(number) { try body(property, number, node) }
        }
      case .copied(let overflow, let other):
        for number in try overflow.numbers(of: other) {
          if let overflowEntry = try overflow.entry(other, number) {
            try body(property, number, overflowEntry)
          }
        }
      }
    }
  }
}
