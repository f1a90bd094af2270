/// The error of a collection whose nodes are inconsistent.
///
/// The cause is always in the bytes that were read, never in the call.
package struct DamagedCollection: Error, Hashable {
  /// The problem, as a sentence that names the node.
  package let detail: String

  package init(detail: String) {
    self.detail = detail
  }

  @inline(never)
  init(_ number: UInt32, _ predicate: String) {
    detail = "Node \(number) \(predicate)."
  }
}
