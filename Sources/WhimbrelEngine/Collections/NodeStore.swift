package import WhimbrelLMDB

/// Where the nodes of one collection are kept, by number.
package protocol NodeStore {
  /// The bytes of a node, or nil when there is none of that number.
  ///
  /// They are valid until the next `put` or `remove`. The root is number 0; none,
  /// or one without any bytes, is that of an empty collection.
  func node(_ number: UInt32) throws -> PageBytes?

  /// Keeps a node, in place of the one that has the number already.
  ///
  /// - Parameter bytes: a multiple of eight; the first four are zero, and are
  ///   where the store may keep a checksum.
  mutating func put(_ number: UInt32, _ bytes: [UInt8]) throws

  /// Forgets a node.
  mutating func remove(_ number: UInt32) throws
}
