internal import WhimbrelEngine

/// Goes from one element of a managed collection to the next.
///
/// It keeps the elements that are stored together, for as long as the store shows
/// the same; after that it finds its position again.
struct CollectionCursor<Element: CollectionElement> {
  private let storage: CollectionStorage
  private let owner: ModelRow
  private var leaf: CollectionReader.Leaf?
  private var generation: UInt64 = 0

  /// Makes a cursor of a managed collection.
  init?(_ storage: CollectionStorage) {
    guard let owner = storage.owner else { return nil }
    self.storage = storage
    self.owner = owner
  }

  /// The element at a position, or nil past the end.
  mutating func element(at position: Int) -> Element? {
    guard find(position), let leaf else { return nil }
    if Element._$hasBits, let bits = leaf.bits(at: position) {
      return Element._$element(bits: bits, owner, storage.index)
    }
    let value = storage.read(PropertyValue.null) { _ in try leaf.value(at: position) }
    return Element._$element(value, owner, storage.index)
  }

  /// The name of the element of a map at a position, or nil past the end.
  mutating func name(at position: Int) -> String? {
    guard find(position), let leaf else { return nil }
    return storage.read("") { _ in try leaf.name(at: position) }
  }

  /// Makes sure that the leaf is that of a position, and returns whether there is one.
  @inline(__always)
  private mutating func find(_ position: Int) -> Bool {
    if generation == owner.session?.generation, leaf?.range.contains(position) == true {
      return true
    }
    return fetch(position)
  }

  @inline(never)
  private mutating func fetch(_ position: Int) -> Bool {
    leaf = storage.read(nil) { reader in
      position < reader.count ? try reader.leaf(containing: position) : nil
    }
    generation = storage.generation
    return leaf != nil
  }
}
