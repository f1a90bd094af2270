package import WhimbrelLMDB

/// A store of the nodes of one collection, by number.
package protocol NodeStore {
  /// Returns the bytes of a node, or nil if there is no node with the number.
  ///
  /// The bytes are valid until the next `put` or `remove`. The root has number 0. A collection
  /// without a root, or whose root has no bytes, is empty.
  func node(_ number: UInt32) throws -> PageBytes?

  /// Stores a node. It replaces a node with the same number.
  ///
  /// - Parameter bytes: The node, whose size is a multiple of eight. The first four bytes are zero;
  ///   the store can keep a checksum there.
  mutating func put(_ number: UInt32, _ bytes: [UInt8]) throws

  mutating func remove(_ number: UInt32) throws
}
