/// What is thrown when the nodes of a collection do not fit together.
///
/// The cause is always in the bytes that were read, never in the call.
package struct DamagedCollection: Error, Hashable {
  /// What is wrong, as a sentence that names the node.
  package let detail: String

  /// Makes an error from a sentence.
  package init(detail: String) {
    self.detail = detail
  }

  @inline(never)
  init(_ number: UInt32, _ predicate: String) {
    detail = "Node \(number) \(predicate)."
  }
}
