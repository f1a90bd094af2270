/// A digest of the changes that an edit makes, in their order.
///
/// Whimbrel Studio sends the digest of the preview that a person has confirmed with the write. A
/// write that would make other changes, because objects have changed meanwhile, has another digest.
/// Digests of different processes cannot be compared.
package struct ChangeDigest {
  private var hasher = Hasher()
  /// The objects without a primary key, and the embedded objects, that the edit has added.
  private var added: Set<NamedObject> = []

  package init() {}

  package mutating func add(_ object: EditedObject) {
    let difference = object.difference
    if difference.kind == .added, difference.object.key == nil {
      // The object gets another ID after each preview, and if others have added objects.
      hasher.combine(difference.object.className)
      hasher.combine(difference.properties)
      added.insert(difference.object)
    } else {
      hasher.combine(difference)
    }
    added.formUnion(object.addedParts)
    for effect in object.effects { add(effect) }
  }

  private mutating func add(_ effect: EditedObject.Effect) {
    switch effect {
    case .removesPart(let part):
      // The edit may have added the embedded object, which is not reported.
      hasher.combine(part.className)
    case .unlinks(let source, let property) where added.contains(source):
      hasher.combine(source.className)
      hasher.combine(property)
    case .unlinks, .discards: hasher.combine(effect)
    }
  }

  package var text: String { String(UInt(bitPattern: hasher.finalize()), radix: 36) }
}
