/// A digest of the changes that an edit makes, in their order.
///
/// Whimbrel Studio sends the digest of the preview that a person has confirmed with the write. A
/// write that would make other changes, because objects have changed meanwhile, has another digest.
/// Digests of different processes cannot be compared.
package struct ChangeDigest {
  private var hasher = Hasher()

  package init() {}

  package mutating func add(_ object: EditedObject) {
    let difference = object.difference
    if difference.kind == .added, difference.object.key == nil {
      // The object gets another ID if others have added objects since the preview.
      hasher.combine(difference.object.className)
      hasher.combine(difference.properties)
    } else {
      hasher.combine(object)
    }
  }

  package var text: String { String(UInt(bitPattern: hasher.finalize()), radix: 36) }
}
