internal import WhimbrelLMDB

// Sets and maps are in order. Many new elements are merged with those that are there, instead of
// searching the place of each.
extension CollectionEditor {
  /// Returns whether all elements are written again for some new ones. For fewer ones, or for a very
  /// large collection, each finds its place.
  private func isMerged(_ newCount: Int) throws -> Bool {
    if newCount < 2 || requireNoOwner != nil { return false }
    let count = try count()
    return count < 1 << 20 && count / 32 <= newCount
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
    var (old, merged): ([PropertyValue], [[UInt8]]) = ([], [])
    let overflow = tree.nodes.overflow()
    var oldBytes: [[UInt8]] = []
    try tree.forEach { bytes in
      old.append(try coding.value(bytes, stored, overflow))
      oldBytes.append(bytes.array)
      return true
    }
    var next = 0
    var last: PropertyValue?
    for value in ordered {
      while next < old.count, old[next].precedes(value) {
        merged.append(oldBytes[next])
        next += 1
      }
      let isThere =
        next < old.count && old[next].isSameElement(as: value)
        || last?.isSameElement(as: value) == true
      if isThere { continue }
      last = value
      merged.append(try bytes(value))
      count(value, 1)
    }
    if last == nil { return }
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
