public import WhimbrelEngine
internal import WhimbrelLMDB

/// A cursor over the elements of a managed collection, for loops.
///
/// It reads some elements ahead. Once the store has changed, it reads them again. Loops are inlined
/// in apps, where the type of the elements is known, and make the elements of the values.
@usableFromInline
final class CollectionCursor {
  private let storage: CollectionStorage
  // Invariant: the owner has a session, whose counter `current` reads.
  /// The object that owns the collection.
  @usableFromInline let owner: ModelRow
  /// The index of the property in the owner.
  @usableFromInline let index: Int
  private let current: Counter.View
  private var epoch: UInt64 = 0
  /// The elements that were read ahead.
  private var elements = CollectionReader.Elements()
  /// The position of the first of them.
  private var start = 0
  /// Whether the first of them is damaged, and reads as null.
  private var isUnreadable = false
  /// How many elements are read next.
  private var length = 16
  /// The elements of a leaf as bits, if they were asked for and have any.
  private var bits: LeafBits?

  private static let lengthLimit = 256

  /// Makes a cursor over a collection. Returns nil if it is unmanaged.
  init?(_ storage: CollectionStorage) {
    guard let owner = storage.owner, let session = owner.session else { return nil }
    self.storage = storage
    self.owner = owner
    index = storage.index
    current = session.epochView
  }

  /// Makes a cursor in the place of another, for a copy of an iterator.
  private init(copying other: CollectionCursor) {
    (storage, owner, index, current) = (other.storage, other.owner, other.index, other.current)
    (epoch, elements, start) = (other.epoch, other.elements, other.start)
    (isUnreadable, length, bits) = (other.isUnreadable, other.length, other.bits)
  }

  /// Gives an iterator a cursor of its own, if the cursor is also that of a copy of the iterator. One
  /// of them could read past a change that the other has not seen.
  @usableFromInline
  static func separate(_ cursor: inout CollectionCursor?) {
    if !isKnownUniquelyReferenced(&cursor), let shared = cursor {
      cursor = CollectionCursor(copying: shared)
    }
  }

  /// Whether the elements that were read ahead are still valid.
  @usableFromInline var isCurrent: Bool {
    epoch == current.value || current.isClaimed(at: epoch)
  }

  /// Returns the position at which a loop over a set or a map goes on: if the store has changed, the
  /// position after the last element that the loop has visited.
  ///
  /// - Parameter position: The position after the last element, before the change.
  @usableFromInline
  func position(goingOnAt position: Int) -> Int {
    let last = position - 1 - start
    // A damaged element cannot be found again. After it, the loop goes on by index.
    guard !isCurrent, elements.values.indices.contains(last), !isUnreadable || last > 0 else {
      return position
    }
    if elements.names.isEmpty {
      let value = elements.values[last]
      return storage.read(nil) { try $0.place(of: value).next } ?? position
    }
    let name = elements.names[last]
    return storage.read(nil) { try $0.place(ofName: name).next } ?? position
  }

  /// Returns the value of the element at a position, or nil past the end.
  @usableFromInline
  func value(at position: Int) -> PropertyValue? {
    let offset = position - start
    if offset >= 0, offset < elements.values.count, isCurrent { return elements.values[offset] }
    return read(position)
  }

  /// Returns the name of the entry of a map whose value was read last.
  @usableFromInline
  func name(at position: Int) -> String { elements.names[position - start] }

  /// Returns the bits of the element at a position, or nil past the end and if it has none.
  @usableFromInline
  func bits(at position: Int) -> UInt64? {
    if isCurrent, let found = bits?[position] { return found }
    let leaf = leaf(at: position)
    bits = leaf?.bits
    return bits?[position]
  }

  /// Reads elements from a position on, and returns the first of them, or nil past the end.
  private func read(_ position: Int) -> PropertyValue? {
    let leaf = leaf(at: position)
    start = position
    isUnreadable = false
    guard let leaf else { return nil }
    elements = leaf.elements(from: position, limit: length)
    length = min(length * 2, Self.lengthLimit)
    if let first = elements.values.first { return first }
    isUnreadable = true
    elements = storage.read(leaf.unreadable) { _ in try leaf.element(at: position) }
    return elements.values.first
  }

  /// Returns the leaf with a position, or nil past the end, and forgets what was read ahead.
  private func leaf(at position: Int) -> CollectionReader.Leaf? {
    (elements, bits) = (CollectionReader.Elements(), nil)
    let leaf = storage.read(nil) { reader in
      position < reader.count ? try reader.leaf(containing: position) : nil
    }
    epoch = storage.epoch
    return leaf
  }

  /// Reads all elements as bits. Returns nil if they have none.
  func readAll() -> [UInt64]? {
    let all = storage.bits()
    epoch = storage.epoch
    return all
  }
}
