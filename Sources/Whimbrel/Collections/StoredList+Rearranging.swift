public import Foundation

extension StoredList {
  /// Moves an element. The target is its index after the move.
  ///
  /// - Complexity: O(log *n*); O(*n*) in an unmanaged list.
  public func move(from source: Int, to target: Int) {
    storage.requirePosition(source, in: count)
    storage.requirePosition(target, in: count)
    guard source != target else { return }
    guard isManaged else { return local.insert(local.remove(at: source), at: target) }
    storage.edit(else: ()) { try $0.move(from: source, to: target) }
  }

  /// Moves elements before the element that is at an index now, or to the end. The moved elements
  /// keep their order. SwiftUI's `onMove` uses the same arguments.
  ///
  /// - Complexity: O(*n*).
  public func move(fromOffsets source: IndexSet, toOffset target: Int) {
    storage.requirePosition(target, in: count, orEnd: true)
    guard let last = source.last else { return }
    storage.requirePosition(last, in: count)
    let others = (0..<count).filter { !source.contains($0) }
    let before = others.prefix { $0 < target }
    rearrange(Array(before) + Array(source) + Array(others[before.endIndex...]))
  }

  /// Swaps two elements.
  ///
  /// - Complexity: O(log *n*).
  public func swapAt(_ first: Int, _ second: Int) {
    storage.requirePosition(first, in: count)
    storage.requirePosition(second, in: count)
    guard first != second else { return }
    guard isManaged else { return local.swapAt(first, second) }
    storage.edit(else: ()) { try $0.swapAt(first, second) }
  }

  /// Sorts the elements. Equal elements keep their order.
  ///
  /// - Parameter areInOrder: A closure that returns whether its first argument comes before its
  ///   second. It must not add or remove elements.
  /// - Complexity: O(*n* log *n*).
  public func sort(by areInOrder: (Element, Element) throws -> Bool) rethrows {
    let countBefore = count
    let elements = Array(self)
    let order = try elements.indices.sorted { try areInOrder(elements[$0], elements[$1]) }
    storage.requireCount(count, still: countBefore, after: "sort(by:)")
    // Damage has left fewer elements. The error is noted, and the write fails.
    if elements.count != countBefore { return }
    rearrange(order)
  }

  /// Reverses the order of the elements.
  ///
  /// - Complexity: O(*n*).
  public func reverse() { rearrange((0..<count).reversed()) }

  /// Shuffles the elements.
  ///
  /// - Complexity: O(*n*).
  public func shuffle() {
    var generator = SystemRandomNumberGenerator()
    shuffle(using: &generator)
  }

  /// Shuffles the elements with a random number generator.
  ///
  /// - Complexity: O(*n*).
  public func shuffle(using generator: inout some RandomNumberGenerator) {
    rearrange((0..<count).shuffled(using: &generator))
  }

  /// Puts the elements in the order of these indexes.
  private func rearrange(_ order: [Int]) {
    guard isManaged else { return local = order.map { local[$0] } }
    guard !order.isEmpty else { return }
    storage.edit(else: ()) { try $0.rearrange(order) }
  }
}

extension StoredList where Element: Comparable {
  /// Sorts the elements in ascending order. Equal elements keep their order.
  ///
  /// - Complexity: O(*n* log *n*).
  public func sort() { sort(by: <) }
}

// MARK: - Concatenation

extension StoredList {
  /// Returns an unmanaged list with the elements of a list followed by others. Neither operand
  /// changes.
  public static func + (list: StoredList, others: some Sequence<Element>) -> StoredList {
    StoredList(Array(list) + Array(others))
  }

  /// Returns an unmanaged list with some elements followed by those of a list. Neither operand
  /// changes.
  public static func + (others: some Sequence<Element>, list: StoredList) -> StoredList {
    StoredList(Array(others) + Array(list))
  }

  /// Returns an unmanaged list with the elements of two lists. Neither operand changes.
  public static func + (list: StoredList, other: StoredList) -> StoredList {
    StoredList(Array(list) + Array(other))
  }
}
