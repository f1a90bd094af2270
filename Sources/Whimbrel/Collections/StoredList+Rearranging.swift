public import Foundation

extension StoredList {
  /// Moves an element to another position, which it has afterwards.
  ///
  /// - Complexity: O(log *n*); O(*n*) in an unmanaged list.
  public func move(from source: Int, to target: Int) {
    storage.requirePosition(source, in: 0..<count)
    storage.requirePosition(target, in: 0..<count)
    guard source != target else { return }
    guard isManaged else { return local.insert(local.remove(at: source), at: target) }
    storage.edit(else: ()) { try $0.move(from: source, to: target) }
  }

  /// Moves elements, in their order, before the one that is at a position now, or to
  /// the end: what `onMove` of SwiftUI asks for.
  ///
  /// - Complexity: O(*n*).
  public func move(fromOffsets source: IndexSet, toOffset target: Int) {
    storage.requirePosition(target, in: 0..<count + 1)
    guard let last = source.last else { return }
    storage.requirePosition(last, in: 0..<count)
    let others = (0..<count).filter { !source.contains($0) }
    let before = others.prefix { $0 < target }
    rearrange(Array(before) + Array(source) + Array(others[before.endIndex...]))
  }

  /// Exchanges two elements.
  ///
  /// - Complexity: O(log *n*).
  public func swapAt(_ first: Int, _ second: Int) {
    storage.requirePosition(first, in: 0..<count)
    storage.requirePosition(second, in: 0..<count)
    guard first != second else { return }
    guard isManaged else { return local.swapAt(first, second) }
    storage.edit(else: ()) { try $0.swapAt(first, second) }
  }

  /// Sorts the elements; equal ones keep their order.
  ///
  /// - Parameter areInOrder: whether one element comes before another.
  /// - Complexity: O(*n* log *n*).
  public func sort(by areInOrder: (Element, Element) throws -> Bool) rethrows {
    let elements = Array(self)
    rearrange(try elements.indices.sorted { try areInOrder(elements[$0], elements[$1]) })
  }

  /// Turns the order of the elements round.
  ///
  /// - Complexity: O(*n*).
  public func reverse() { rearrange((0..<count).reversed()) }

  /// Brings the elements in an order by chance.
  ///
  /// - Complexity: O(*n*).
  public func shuffle() {
    var generator = SystemRandomNumberGenerator()
    shuffle(using: &generator)
  }

  /// Brings the elements in an order by chance.
  ///
  /// - Complexity: O(*n*).
  public func shuffle(using generator: inout some RandomNumberGenerator) {
    rearrange((0..<count).shuffled(using: &generator))
  }

  /// Puts the elements in the order of these positions.
  private func rearrange(_ order: [Int]) {
    guard isManaged else { return local = order.map { local[$0] } }
    guard !order.isEmpty else { return }
    storage.edit(else: ()) { try $0.rearrange(order) }
  }
}

extension StoredList where Element: Comparable {
  /// Sorts the elements in ascending order; equal ones keep their order.
  ///
  /// - Complexity: O(*n* log *n*).
  public func sort() { sort(by: <) }
}

// MARK: - Concatenation

extension StoredList {
  /// An unmanaged list of the elements of a list and those that follow; neither is
  /// changed.
  public static func + (list: StoredList, others: some Sequence<Element>) -> StoredList {
    StoredList(Array(list) + Array(others))
  }

  /// An unmanaged list of some elements and those of a list; neither is changed.
  public static func + (others: some Sequence<Element>, list: StoredList) -> StoredList {
    StoredList(Array(others) + Array(list))
  }

  /// An unmanaged list of the elements of two lists; neither is changed.
  public static func + (list: StoredList, other: StoredList) -> StoredList {
    StoredList(Array(list) + Array(other))
  }
}
