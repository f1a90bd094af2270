internal import Foundation
internal import WhimbrelEngine

/// The elements of an unmanaged set, in the order that a store would have them in.
///
/// Objects that are in no store come last, in the order in which they were inserted;
/// they are told apart by what they are in memory.
struct UnmanagedSet<Element: CollectionElement> {
  private var elements: [ElementKey: Element] = [:]
  /// When each object was inserted.
  private var turns: [ElementKey: Int] = [:]
  private var nextTurn = 0
  /// Objects that were in no store when they were inserted, and may be in one now.
  private var loose: Set<ElementKey> = []
  private var sorted: [Element]?

  var count: Int { elements.count }

  /// The elements in their order.
  ///
  /// - Complexity: O(1); O(*n* log *n*) for the first time after a change.
  var ordered: [Element] {
    mutating get {
      if let sorted { return sorted }
      let ordered = elements.sorted { isOrdered($0.key, before: $1.key) }.map(\.value)
      sorted = ordered
      return ordered
    }
  }

  private func isOrdered(_ first: ElementKey, before second: ElementKey) -> Bool {
    switch (first, second) {
    case (.value(let first), .value(let second)): first.precedes(second)
    case (.value, .object): true
    case (.object, .value): false
    case (.object, .object): turns[first, default: 0] < turns[second, default: 0]
    }
  }

  func contains(_ element: Element) -> Bool { key(of: element) != nil }

  /// The key that an element has in the set, or nil.
  private func key(of element: Element) -> ElementKey? {
    let key = ElementKey(element)
    if elements[key] != nil { return key }
    guard let object = element._$object, object._$row.isManaged else { return nil }
    let own = ElementKey.object(ObjectIdentifier(object))
    if elements[own] != nil { return own }
    return loose.first { elements[$0]?._$object?.isSameObject(asAny: object) == true }
  }

  mutating func insert(_ element: Element) -> Bool {
    guard key(of: element) == nil else { return false }
    let key = ElementKey(element)
    elements[key] = element
    if case .object = key {
      turns[key] = nextTurn
      nextTurn += 1
      loose.insert(key)
    }
    sorted = nil
    return true
  }

  mutating func remove(_ element: Element) -> Element? {
    guard let key = key(of: element) else { return nil }
    sorted = nil
    turns[key] = nil
    loose.remove(key)
    return elements.removeValue(forKey: key)
  }

  mutating func removeAll() { self = UnmanagedSet() }
}

/// What an element of an unmanaged set is known by.
enum ElementKey: Hashable {
  case value(PropertyValue)
  case object(ObjectIdentifier)

  init(_ element: some CollectionElement) {
    if let object = element._$object, !object._$row.isManaged {
      self = .object(ObjectIdentifier(object))
    } else {
      self = .value(element._$plainValue)
    }
  }

  static func == (lhs: ElementKey, rhs: ElementKey) -> Bool {
    switch (lhs, rhs) {
    case (.value(let lhs), .value(let rhs)): lhs == rhs || lhs.isSameElement(as: rhs)
    case (.object(let lhs), .object(let rhs)): lhs == rhs
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .object(let identity): hasher.combine(identity)
    // All NaNs are one element, wherever they are inside of a value.
    case .value(.float(let number)) where number.isNaN: hasher.combine(0)
    case .value(.double(let number)) where number.isNaN: hasher.combine(0)
    case .value(.date(let date)) where date.timeIntervalSinceReferenceDate.isNaN:
      hasher.combine(0)
    case .value(.decimal(let number)) where number.isNaN: hasher.combine(0)
    case .value(.list(let values)): hasher.combine(values.count)
    case .value(.map(let values)): hasher.combine(values.count)
    case .value(let value): hasher.combine(value)
    }
  }
}
