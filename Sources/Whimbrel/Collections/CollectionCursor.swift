internal import WhimbrelEngine
internal import WhimbrelLMDB

/// A cursor over the elements of a managed collection, for loops.
///
/// It keeps the leaf with the current elements until the store changes. Then it finds the leaf
/// again.
struct CollectionCursor<Element: CollectionElement> {
  private let storage: CollectionStorage
  // Invariant: the owner has a session, whose counter `current` reads.
  private let owner: ModelRow
  private let index: Int
  private let current: Counter.View
  private var epoch: UInt64 = 0
  private var leaf: CollectionReader.Leaf?
  /// The elements of the leaf as bits, if the element type has bits.
  private var bits: LeafBits?

  /// Makes a cursor over a collection. Returns nil if it is unmanaged.
  init?(_ storage: CollectionStorage) {
    guard let owner = storage.owner, let session = owner.session else { return nil }
    self.storage = storage
    self.owner = owner
    index = storage.index
    current = session.epochView
    storage.noteRead()
  }

  /// Whether the leaf is still valid.
  private var isCurrent: Bool {
    epoch == current.value || current.isClaimed(at: epoch)
  }

  /// Whether the store has changed since an element was read.
  private var hasChanged: Bool { leaf != nil && !isCurrent }

  /// Returns the index at which a loop continues after an element of a set. Returns nil if the loop
  /// goes on by index: nothing has changed, or damage hides the element.
  func position(after value: PropertyValue?) -> Int? {
    guard hasChanged, let value else { return nil }
    return storage.read(nil) { try $0.position(after: value) }
  }

  /// Returns the index at which a loop continues after a key of a map: see ``position(after:)``.
  func position(afterName name: String?) -> Int? {
    guard hasChanged, let name else { return nil }
    return storage.read(nil) { try $0.position(afterName: name) }
  }

  /// Returns the element at an index, or nil past the end.
  mutating func element(at position: Int) -> Element? {
    if isCurrent, let found = bits?[position] {
      return Element._$element(bits: found, owner, index)
    }
    guard find(position), let leaf else { return nil }
    if let found = bits?[position] { return Element._$element(bits: found, owner, index) }
    let value = storage.read(PropertyValue.null) { _ in try leaf.value(at: position) }
    return Element._$element(value, owner, index)
  }

  /// Returns the stored value of an element, or nil past the end or if it cannot be read.
  mutating func value(at position: Int) -> PropertyValue? {
    guard find(position), let leaf else { return nil }
    return storage.read(nil) { _ in try leaf.value(at: position) }
  }

  /// Reads all elements as bits. Returns nil if the element type has no bits.
  mutating func readAll() -> [UInt64]? {
    guard Element._$hasBits else { return nil }
    let all = storage.read(nil) { try $0.bits() }
    epoch = storage.epoch
    return all
  }

  /// Returns an element that ``readAll()`` has read, or nil if it is an object that was deleted
  /// since.
  func element(from bits: UInt64) -> Element? {
    isCurrent
      ? Element._$element(bits: bits, owner, index)
      : Element._$elementIfPresent(bits: bits, owner, index)
  }

  /// Returns the key of a map's entry at an index, or nil past the end.
  mutating func name(at position: Int) -> String? {
    guard find(position), let leaf else { return nil }
    return storage.read("") { _ in try leaf.name(at: position) }
  }

  /// Loads the leaf with an index, and returns whether there is one.
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
