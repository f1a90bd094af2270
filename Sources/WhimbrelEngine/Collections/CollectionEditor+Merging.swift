internal import WhimbrelLMDB

// Sets and maps are in order. Many new elements are merged with those that are there, instead of
// searching the place of each.
extension CollectionEditor {
  /// The limit on the bytes of long elements of a set that are read to merge new ones. If there are
  /// more, each new element finds its place, which reads few of them.
  private static let readLimit = 1 << 20

  /// The limit on the elements that are written again. All of them are in memory meanwhile.
  private static let countLimit = 1 << 18

  /// Returns whether all elements are written again for some new ones. For fewer ones, or for a very
  /// large collection, each finds its place.
  private func isMerged(_ newCount: Int) throws -> Bool {
    if newCount < 2 || requireNoOwner != nil { return false }
    let count = try count()
    return count <= Self.countLimit && count / 32 <= newCount
  }

  /// Inserts elements into a set: those that it does not contain.
  ///
  /// - Complexity: O(*m* log *m* + *n*) for *m* elements.
  package mutating func insertIntoSet(contentsOf values: [PropertyValue]) throws {
    guard try isMerged(values.count) else {
      for value in values { _ = try insertIntoSet(value) }
      return
    }
    let ordered = try values.map { try checked($0) }.sorted { $0.precedes($1) }
    var oldBytes: [[UInt8]] = []
    // The new elements, and the positions of the old ones in front of which they are inserted.
    var new: [(value: PropertyValue, position: Int)] = []
    func add(_ value: PropertyValue) {
      if new.last?.value.isSameElement(as: value) == true { return }
      new.append((value, oldBytes.count))
    }
    var rest = ordered[...]
    var readLength = 0
    let overflow = tree.nodes.overflow()
    try tree.forEach { bytes in
      if !rest.isEmpty {
        readLength += try coding.chunks(of: bytes)?.length ?? 0
        if readLength > Self.readLimit { return false }
        let old = try coding.value(bytes, stored, overflow)
        while let value = rest.first, !old.precedes(value) {
          if value.precedes(old) { add(value) }
          rest.removeFirst()
        }
      }
      oldBytes.append(bytes.array)
      return true
    }
    if readLength > Self.readLimit {
      for value in ordered { _ = try insertIntoSet(value) }
      return
    }
    for value in rest { add(value) }
    if new.isEmpty { return }
    var merged: [[UInt8]] = []
    var next = 0
    for (value, position) in new {
      merged += oldBytes[next..<position]
      next = position
      merged.append(try bytes(value))
      count(value, 1)
    }
    try replaceAll(with: merged + oldBytes[next...])
  }

  /// Sets the values of names in a map. If a name occurs several times, the last value counts.
  ///
  /// - Complexity: O(*m* log *m* + *n*) for *m* names.
  package mutating func set(_ entries: [(name: String, value: PropertyValue)]) throws {
    guard try isMerged(entries.count) else {
      for entry in entries { try set(entry.value, forName: entry.name) }
      return
    }
    for entry in entries { try property.checkName(entry.name, in: className) }
    let checked = try entries.map { try self.checked($0.value) }
    let ordered = entries.indices.sorted { left, right in
      let (name, other) = (entries[left].name, entries[right].name)
      return name == other ? left < right : name.precedesInOrder(other)
    }
    var (names, oldBytes): ([String], [[UInt8]]) = ([], [])
    try tree.forEach { bytes in
      names.append(try coding.nameBytes(bytes).text)
      oldBytes.append(bytes.array)
      return true
    }
    var merged: [[UInt8]] = []
    var next = 0
    for (offset, index) in ordered.enumerated() {
      let name = entries[index].name
      let isReplaced =
        offset + 1 < ordered.count && entries[ordered[offset + 1]].name == name
      if isReplaced { continue }
      while next < names.count, names[next].precedesInOrder(name) {
        merged.append(oldBytes[next])
        next += 1
      }
      if next < names.count, names[next] == name {
        try release(next..<next + 1)
        next += 1
      }
      merged.append(try bytes(checked[index], name: name))
      count(checked[index], 1)
    }
    try replaceAll(with: merged + oldBytes[next...])
  }

  private mutating func replaceAll(with elements: [[UInt8]]) throws {
    try tree.removeAll()
    try tree.append(contentsOf: elements)
  }
}
