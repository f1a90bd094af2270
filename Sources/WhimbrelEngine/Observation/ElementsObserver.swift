internal import WhimbrelLMDB

/// An observer of the elements of a collection: a list or a set of values, or a map.
///
/// When the collection has changed, the observer reads its elements again and compares them.
package final class ElementsObserver: StoreObserver {
  /// A notification.
  package enum News {
    case initial
    case elements(ElementsChange)
    case names(NamesChange)
    case failure(any Error)
  }

  private let className: String
  private let id: ObjectID
  private let property: String
  private let tell: (News) -> Void
  private weak var session: Session?
  private var position = 0
  private var isMap = false
  private var isInitial = true
  private var told = Elements()
  private var current = Elements()

  /// The elements in order, with their names if the collection is a map.
  private struct Elements {
    var values: [PropertyValue] = []
    var names: [String] = []

    var named: [String: PropertyValue] {
      Dictionary(zip(names, values), uniquingKeysWith: { $1 })
    }
  }

  /// - Parameter property: The collection of the object.
  package init(
    _ className: String, _ id: ObjectID, _ property: String, _ tell: @escaping (News) -> Void
  ) {
    self.className = className
    self.id = id
    self.property = property
    self.tell = tell
  }

  override var object: (className: String, id: ObjectID)? { (className, id) }

  override package func begin(in session: Session) throws {
    let table = try session.table(className)
    position = try table.resolved.requiredPosition(of: property)
    if case .map = table.resolved.properties[position].type { isMap = true }
    self.session = session
    isInitial = true
    try read(table)
  }

  private func read(_ table: ClassTable) throws {
    var elements = Elements()
    if try table.contains(id) {
      try table.readCollection(position, of: id) { reader in
        elements.values = try reader.values()
        if isMap { elements.names = try reader.names() }
      }
    }
    current = elements
  }

  override func follow(_ delta: ObjectDelta, in session: Session) throws -> Bool {
    guard delta.isDeleted || delta.old[position] != nil else { return false }
    try read(session.table(className))
    return true
  }

  override func skip() { told = current }

  override func deliver() {
    let before = told
    told = current
    if isInitial {
      isInitial = false
      return tell(.initial)
    }
    if isMap {
      let change = NamesChange(from: before.named, to: current.named)
      if !change.isEmpty { tell(.names(change)) }
    } else {
      let change = ElementsChange(from: before.values, to: current.values)
      if !change.isEmpty { tell(.elements(change)) }
    }
  }

  override package func fail(_ error: any Error) { tell(.failure(error)) }
}

/// The difference between the elements of a list or a set before and after a change.
package struct ElementsChange: Hashable, Sendable {
  package private(set) var deletions: [Int] = []
  package private(set) var insertions: [Int] = []
  /// The new positions of the elements that were replaced.
  package private(set) var modifications: [Int] = []
  /// The old positions of the elements that were replaced.
  package private(set) var modificationsBefore: [Int] = []
  package private(set) var moves: [OrderDifference.Move] = []

  package var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

  package init(from old: [PropertyValue], to new: [PropertyValue]) {
    // Most changes leave the elements at both ends as they are.
    func isSame(_ before: Int, _ after: Int) -> Bool {
      ObservedValue(old[before]) == ObservedValue(new[after])
    }
    var (start, oldEnd, newEnd) = (0, old.count, new.count)
    while start < oldEnd, start < newEnd, isSame(start, start) { start += 1 }
    while oldEnd > start, newEnd > start, isSame(oldEnd - 1, newEnd - 1) {
      (oldEnd, newEnd) = (oldEnd - 1, newEnd - 1)
    }
    // Equal values get the same number.
    var numbers: [ObservedValue: UInt64] = [:]
    func number(_ value: PropertyValue) -> ObjectID {
      let value = ObservedValue(value)
      let next = UInt64(numbers.count)
      let known = numbers[value] ?? next
      if known == next { numbers[value] = next }
      return ObjectID(rawValue: known)
    }
    let (before, after) = (old[start..<oldEnd].map(number), new[start..<newEnd].map(number))
    let difference = OrderDifference(from: before, to: after)
    moves = difference.moves.map { .init(from: $0.from + start, to: $0.to + start) }
    let (left, right) = (Set(moves.map(\.from)), Set(moves.map(\.to)))
    // Between two elements that stay, deletions and insertions are paired up as modifications.
    let deleted = difference.deletions.map { $0 + start }
    let inserted = difference.insertions.map { $0 + start }
    var (next, other) = (0, 0)
    while next < deleted.count || other < inserted.count {
      // The numbers of staying elements in front of the next deletion and the next insertion.
      let gap = next < deleted.count ? deleted[next] - next : .max
      let otherGap = other < inserted.count ? inserted[other] - other : .max
      if gap < otherGap || next < deleted.count && left.contains(deleted[next]) {
        deletions.append(deleted[next])
        next += 1
      } else if otherGap < gap || right.contains(inserted[other]) {
        insertions.append(inserted[other])
        other += 1
      } else {
        modificationsBefore.append(deleted[next])
        modifications.append(inserted[other])
        (next, other) = (next + 1, other + 1)
      }
    }
  }
}

/// The difference between the elements of a map before and after a change.
package struct NamesChange: Hashable, Sendable {
  /// The names, in order.
  package let deletions: [String]
  package let insertions: [String]
  package let modifications: [String]

  package var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

  package init(from old: [String: PropertyValue], to new: [String: PropertyValue]) {
    func inOrder(_ names: some Sequence<String>) -> [String] {
      names.sorted { $0.precedesInOrder($1) }
    }
    deletions = inOrder(old.keys.filter { new[$0] == nil })
    insertions = inOrder(new.keys.filter { old[$0] == nil })
    modifications = inOrder(
      new.filter { name, value in
        guard let place = old.index(forKey: name) else { return false }
        // Conditions distinguish names that are only canonically equivalent.
        let (oldName, oldValue) = old[place]
        return !name.isIdentical(to: oldName) || ObservedValue(oldValue) != ObservedValue(value)
      }.keys)
  }
}
