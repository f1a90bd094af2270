internal import WhimbrelEngine

/// The elements of an unmanaged set, in the order that a store would use.
///
/// Unmanaged objects come last, in the order in which they were inserted, and are distinguished by
/// their identity in memory. Objects of several files that have the same ID are also in that order.
struct UnmanagedSet<Element: CollectionElement> {
  private var elements: [ElementKey: Element] = [:]
  /// The order in which objects were inserted.
  private var turns: [ElementKey: Int] = [:]
  private var nextTurn = 0
  /// The objects that were unmanaged when they were inserted. They may be managed now.
  private var loose: Set<ElementKey> = []
  private var sorted: [Element]?

  var count: Int { elements.count }

  /// The elements in their order.
  ///
  /// - Complexity: O(1). O(*n* log *n*) for the first access after a change.
  var ordered: [Element] {
    mutating get {
      if let sorted { return sorted }
      // Keys alone are sorted: a generic element would be looked at in each comparison.
      let keys = elements.keys.sorted { isOrdered($0, before: $1) }
      let ordered = keys.compactMap { elements[$0] }
      sorted = ordered
      return ordered
    }
  }

  private func isOrdered(_ first: ElementKey, before second: ElementKey) -> Bool {
    switch (first.value, second.value) {
    case (.some(let left), .some(let right)):
      if left.precedes(right) { return true }
      if right.precedes(left) { return false }
    case (.some, .none): return true
    case (.none, .some): return false
    case (.none, .none): break
    }
    return turns[first, default: 0] < turns[second, default: 0]
  }

  func contains(_ element: Element) -> Bool { key(of: element) != nil }

  private func key(of element: Element) -> ElementKey? {
    let key = ElementKey(element)
    if elements[key] != nil { return key }
    // The object may have been inserted before it became managed, or another Swift object for the
    // same row may have been.
    guard let object = element._$object, object._$row.isManaged else { return nil }
    let own = ElementKey.object(ObjectIdentifier(object))
    if elements[own] != nil { return own }
    return loose.first { elements[$0]?._$object?.isSameObject(asAny: object) == true }
  }

  mutating func insert(_ element: Element) -> Bool {
    guard key(of: element) == nil else { return false }
    let key = ElementKey(element)
    elements[key] = element
    if element._$object != nil {
      turns[key] = nextTurn
      nextTurn += 1
    }
    if case .object = key { loose.insert(key) }
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

/// The identity of an element in an unmanaged set.
enum ElementKey: Hashable {
  case value(PropertyValue)
  /// A managed object, with the link to it. Two files may give the same link.
  case managed(ObjectIdentity, PropertyValue)
  case object(ObjectIdentifier)

  init(_ element: some CollectionElement) {
    guard let object = element._$object else {
      self = .value(element._$plainValue)
      return
    }
    if object._$row.isManaged {
      self = .managed(object.objectIdentity, element._$plainValue)
    } else {
      self = .object(ObjectIdentifier(object))
    }
  }

  /// The value by which the elements are ordered, or nil for an unmanaged object.
  var value: PropertyValue? {
    switch self {
    case .value(let value), .managed(_, let value): value
    case .object: nil
    }
  }

  static func == (lhs: ElementKey, rhs: ElementKey) -> Bool {
    switch (lhs, rhs) {
    case (.value(let lhs), .value(let rhs)): ElementValue(lhs) == ElementValue(rhs)
    case (.managed(let lhs, _), .managed(let rhs, _)): lhs == rhs
    case (.object(let lhs), .object(let rhs)): lhs == rhs
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .managed(let identity, _): hasher.combine(identity)
    case .object(let identity): hasher.combine(identity)
    case .value(let value): hasher.combine(ElementValue(value))
    }
  }
}
