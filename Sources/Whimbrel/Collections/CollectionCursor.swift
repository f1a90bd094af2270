internal import WhimbrelEngine
internal import WhimbrelLMDB

/// Goes from one element of a managed collection to the next.
///
/// It keeps the elements that are stored together, for as long as the store shows
/// the same; after that it finds its position again.
struct CollectionCursor<Element: CollectionElement> {
  private let storage: CollectionStorage
  // Invariant: it has a session, whose counter `current` reads.
  private let owner: ModelRow
  private let index: Int
  private let current: Counter.View
  private var epoch: UInt64 = 0
  private var leaf: CollectionReader.Leaf?
  /// The elements of the leaf, where they are made of bits.
  private var bits: LeafBits?

  /// Makes a cursor of a managed collection.
  init?(_ storage: CollectionStorage) {
    guard let owner = storage.owner, let session = owner.session else { return nil }
    self.storage = storage
    self.owner = owner
    index = storage.index
    current = session.epochView
  }

  /// Whether the leaf is what the store shows.
  private var isCurrent: Bool {
    epoch == current.value || current.isClaimed(at: epoch)
  }

  /// The element at a position, or nil past the end.
  mutating func element(at position: Int) -> Element? {
    if isCurrent, let found = bits?[position] {
      return Element._$element(bits: found, owner, index)
    }
    guard find(position), let leaf else { return nil }
    if let found = bits?[position] { return Element._$element(bits: found, owner, index) }
    let value = storage.read(PropertyValue.null) { _ in try leaf.value(at: position) }
    return Element._$element(value, owner, index)
  }

  /// The name of the element of a map at a position, or nil past the end.
  mutating func name(at position: Int) -> String? {
    guard find(position), let leaf else { return nil }
    return storage.read("") { _ in try leaf.name(at: position) }
  }

  /// Makes sure that the leaf is that of a position, and returns whether there is one.
  private mutating func find(_ position: Int) -> Bool {
    if isCurrent, leaf?.range.contains(position) == true { return true }
    leaf = storage.read(nil) { reader in
      position < reader.count ? try reader.leaf(containing: position) : nil
    }
    bits = Element._$hasBits ? leaf?.bits : nil
    epoch = storage.epoch
    return leaf != nil
  }
}
