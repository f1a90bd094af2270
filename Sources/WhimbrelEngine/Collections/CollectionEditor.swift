internal import WhimbrelLMDB

/// An editor of one collection of an object, which changes single elements.
///
/// It counts the links that are added and removed, for the index of links. A position out of bounds
/// is a programming error.
package struct CollectionEditor {
  var tree: CollectionTree<EditedNodes>
  let coding: ElementCoding
  let property: CatalogProperty
  let className: String
  /// The property whose overflow contains the chunks of long elements.
  let stored: PropertyID
  /// The links that were added and removed.
  private(set) var links = LinkChanges()
  /// Throws if an embedded object already has an owner. Its arguments are the object and the change
  /// in the number of links to it. Nil if the check is not needed.
  var requireNoOwner: ((ObjectID, Int) throws -> Void)?

  init(
    _ nodes: EditedNodes, _ property: CatalogProperty, stored: PropertyID, class className: String
  ) {
    self.property = property
    self.className = className
    self.stored = stored
    var isMap = false
    if case .map = property.type { isMap = true }
    coding = ElementCoding(property.type.elementType ?? ElementType(.any), isMap: isMap)
    tree = CollectionTree(nodes, coding.format)
  }
}

extension PropertyValue {
  /// The targets of all links in the value, at any depth.
  package var linkTargets: [LinkTarget] {
    switch self {
    case .link(let id): [.object(id)]
    case .object(let reference): [.reference(reference)]
    case .list(let values): values.flatMap(\.linkTargets)
    case .map(let values): values.values.flatMap(\.linkTargets)
    default: []
    }
  }
}

extension PropertyValue {
  /// Returns the value without links to the targets. Elements of collections of links are removed;
  /// other links become nil.
  func removing(_ targets: Set<LinkTarget>) -> PropertyValue {
    func isGone(_ value: PropertyValue) -> Bool {
      switch value {
      case .link(let id): targets.contains(.object(id))
      case .object(let reference): targets.contains(.reference(reference))
      default: false
      }
    }
    if isGone(self) { return .null }
    switch self {
    case .list(let values):
      return .list(values.filter { !$0.isLink || !isGone($0) }.map { $0.removing(targets) })
    case .map(let values):
      let kept = values.filter { !$0.value.isLink || !isGone($0.value) }
      return .map(kept.mapValues { $0.removing(targets) })
    default: return self
    }
  }

  private var isLink: Bool {
    if case .link = self { true } else { false }
  }
}

// MARK: - Reading

extension CollectionEditor {
  package func count() throws -> Int { try tree.count() }

  package func value(at position: Int) throws -> PropertyValue {
    try tree.withElement(at: position) { try coding.value($0, stored, tree.nodes.overflow()) }
  }

  /// Returns the name of the element at a position of a map.
  package func name(at position: Int) throws -> String {
    try tree.withElement(at: position) { try coding.nameBytes($0).text }
  }

  /// Returns the place of an element in a set.
  package func place(of value: PropertyValue) throws -> CollectionPlace {
    try tree.place(of: value, coding, stored, tree.nodes.overflow())
  }

  /// Returns the place of a name in a map.
  package func place(ofName name: String) throws -> CollectionPlace {
    try tree.place(ofName: name, coding)
  }

  /// Returns the positions of the elements that link to any of some objects, in order, and their
  /// targets.
  private func elements(
    linkingTo targets: Set<ObjectID>
  ) throws -> (positions: [Int], targets: [ObjectID]) {
    if case .set = property.type {
      let places = try targets.map { (try place(of: .link($0)), $0) }.filter(\.0.isThere)
        .sorted { $0.0.position < $1.0.position }
      return (places.map(\.0.position), places.map(\.1))
    }
    var found: (positions: [Int], targets: [ObjectID]) = ([], [])
    var position = 0
    let overflow = tree.nodes.overflow()
    // Comparing with the only target is faster than looking for it in a set.
    let only = targets.count == 1 ? targets.first : nil
    let isLink = coding.element.type.linkTarget != nil
    try tree.forEach { bytes in
      var target: ObjectID?
      // In a map, the link is behind the name and the form of the value.
      let start = coding.isMap ? try 3 + coding.nameBytes(bytes).count : 0
      if isLink, start + 8 == bytes.count {
        target = ObjectID(rawValue: UInt64(littleEndian: bytes.load(UInt64.self, at: start)))
      } else if case .link(let id) = try coding.value(bytes, stored, overflow) {
        target = id
      }
      if let target, target == only || only == nil && targets.contains(target) {
        found.positions.append(position)
        found.targets.append(target)
      }
      position += 1
      return true
    }
    return found
  }
}

// MARK: - Changing

extension CollectionEditor {
  mutating func bytes(_ value: PropertyValue, name: String? = nil) throws -> [UInt8] {
    do {
      return try coding.bytes(value, name: name, in: &tree)
    } catch is TooDeeplyNested {
      throw StoreError.nestedTooDeep(
        class: className, property: property.name, limit: AnyCoding.depthLimit)
    }
  }

  /// Removes all links to some objects. Elements that are links are removed. Links inside values of
  /// any type become nil.
  ///
  /// - Complexity: O(*n*), and O(*k* log *n*) for *k* objects in a set of links.
  mutating func removeAll(_ targets: Set<ObjectReference>) throws {
    guard coding.element.type == .any else {
      let found = try elements(linkingTo: Set(targets.map(\.id)))
      try removeChunks(at: found.positions)
      try tree.remove(at: found.positions)
      for target in found.targets { links.note(.object(target), -1) }
      return
    }
    // A changed element of a set has another position. Changed elements are inserted after the
    // loop, which needs stable positions.
    var changed: [PropertyValue] = []
    for position in (0..<(try count())).reversed() {
      let old = try value(at: position)
      let new = AnyCoding.removing(targets, from: old)
      guard new != old else { continue }
      switch property.type {
      case .set:
        try removeSubrange(position..<position + 1)
        changed.append(new)
      case .map: try set(new, forName: try name(at: position))
      default: try replace(at: position, with: new)
      }
    }
    for value in changed { _ = try insertIntoSet(value) }
  }

  /// Throws if a value links to an embedded object that already has an owner.
  private mutating func requireNoOwner(
    _ value: PropertyValue, insteadOf old: PropertyValue? = nil
  ) throws {
    guard let requireNoOwner, case .link(let id) = value, value != old else { return }
    try requireNoOwner(id, links.difference(of: .object(id)))
  }

  mutating func count(_ value: PropertyValue, _ difference: Int) { links.note(value, difference) }

  /// Inserts an element into a list.
  package mutating func insert(_ value: PropertyValue, at position: Int) throws {
    let value = try checked(value)
    try requireNoOwner(value)
    let bytes = try bytes(value)
    try tree.insert(bytes, at: position)
    count(value, 1)
  }

  /// Appends elements to a list. If one of them is invalid, none is appended.
  package mutating func append(contentsOf values: some Sequence<PropertyValue>) throws {
    let before = links.count
    var all: [PropertyValue] = []
    all.reserveCapacity(values.underestimatedCount)
    do {
      for value in values {
        let value = try checked(value)
        try requireNoOwner(value)
        count(value, 1)
        all.append(value)
      }
    } catch {
      links.forget(after: before)
      throw error
    }
    // All elements are valid now, so their chunks can be written.
    try tree.append(contentsOf: all.map { try bytes($0) })
  }

  /// Replaces an element of a list.
  package mutating func replace(at position: Int, with value: PropertyValue) throws {
    let value = try checked(value)
    if requireNoOwner != nil {
      try requireNoOwner(value, insteadOf: self.value(at: position))
    }
    let bytes = try bytes(value)
    try release(position..<position + 1)
    try tree.replace(at: position, with: bytes)
    count(value, 1)
  }

  package mutating func removeSubrange(_ range: Range<Int>) throws {
    guard !range.isEmpty else { return }
    try release(range)
    try tree.removeSubrange(range)
  }

  /// Moves an element of a list, so that it is at the target position afterwards.
  package mutating func move(from source: Int, to target: Int) throws {
    guard source != target else { return }
    let bytes = try tree.withElement(at: source) { $0.array }
    try tree.remove(at: source)
    try tree.insert(bytes, at: target)
  }

  /// Inserts an element into a set, and returns false if the set already contains it.
  package mutating func insertIntoSet(_ value: PropertyValue) throws -> Bool {
    let value = try checked(value)
    let place = try place(of: value)
    guard !place.isThere else { return false }
    try requireNoOwner(value)
    let bytes = try bytes(value)
    try tree.insert(bytes, at: place.position)
    count(value, 1)
    return true
  }

  /// Sets the value of a name in a map.
  package mutating func set(_ value: PropertyValue, forName name: String) throws {
    try property.checkName(name, in: className)
    let value = try checked(value)
    let place = try place(ofName: name)
    if requireNoOwner != nil {
      let old = place.isThere ? try self.value(at: place.position) : nil
      try requireNoOwner(value, insteadOf: old)
    }
    let bytes = try bytes(value, name: name)
    if place.isThere {
      try release(place.position..<place.position + 1)
      try tree.replace(at: place.position, with: bytes)
    } else {
      try tree.insert(bytes, at: place.position)
    }
    count(value, 1)
  }

  func checked(_ value: PropertyValue) throws -> PropertyValue {
    try property.checked(value, as: coding.element, in: className)
  }

  /// Counts the links of elements that are about to be removed, and removes their chunks.
  mutating func release(_ range: Range<Int>) throws {
    let hasLinks = coding.element.type.linkTarget != nil || coding.element.type == .any
    guard hasLinks || coding.format == .variable else { return }
    var targets: [LinkTarget] = []
    var chunks: [(first: UInt32, length: Int)] = []
    let overflow = tree.nodes.overflow()
    try tree.forEach(in: range) { bytes in
      if hasLinks { targets += try coding.value(bytes, stored, overflow).linkTargets }
      if let place = try coding.chunks(of: bytes) { chunks.append(place) }
    }
    for target in targets { links.note(target, -1) }
    for place in chunks { try tree.removeChunks(place) }
  }

  /// Removes the chunks of elements that are about to be removed.
  private mutating func removeChunks(at positions: some Sequence<Int>) throws {
    guard coding.format == .variable else { return }
    var chunks: [(first: UInt32, length: Int)] = []
    for position in positions {
      let place = try tree.withElement(at: position) { try coding.chunks(of: $0) }
      if let place { chunks.append(place) }
    }
    for place in chunks { try tree.removeChunks(place) }
  }
}
