internal import WhimbrelEngine
internal import WhimbrelLMDB

/// A hash table from the primary keys of a class to object IDs, for the links
/// in a dump.
///
/// A key takes its own bytes plus 24 to 32 bytes.
struct KeyDirectory {
  /// The keys as ``PropertyValue/keyText``, concatenated.
  private var text: [UInt8] = []
  /// The end of each key in `text`.
  private var ends: [Int] = []
  private var ids: [UInt64] = []
  /// Slots of the hash table with open addressing: an index into `ids` plus
  /// one, or 0 if empty.
  private var slots: [UInt32] = Array(repeating: 0, count: 1_024)

  var count: Int { ids.count }

  /// Returns the object with a key, or nil.
  ///
  /// - Complexity: O(*k*) for *k* bytes of the key.
  func object(_ key: PageBytes) -> ObjectID? {
    let entry = slots[slot(of: key)]
    return entry == 0 ? nil : ObjectID(rawValue: ids[Int(entry) - 1])
  }

  /// Adds an object. Ignores it if an earlier object has the same key.
  mutating func insert(_ key: PageBytes, _ id: ObjectID) {
    // At most half of the slots are taken, so that searches stay short and always end.
    if (ids.count + 1) * 2 > slots.count { grow() }
    let slot = slot(of: key)
    guard slots[slot] == 0, ids.count < Int(UInt32.max) - 1 else { return }
    text.append(key)
    ends.append(text.count)
    ids.append(id.rawValue)
    slots[slot] = UInt32(ids.count)
  }

  /// Returns the slot that holds a key, or the empty slot for it.
  private func slot(of key: PageBytes) -> Int {
    let mask = slots.count - 1
    var slot = Self.hash(key) & mask
    while slots[slot] != 0, !isKey(Int(slots[slot]) - 1, key) { slot = (slot + 1) & mask }
    return slot
  }

  private func isKey(_ entry: Int, _ key: PageBytes) -> Bool {
    let start = entry == 0 ? 0 : ends[entry - 1]
    guard ends[entry] - start == key.count else { return false }
    return PageBytes.with(text) { text in
      text.slice(at: start, count: key.count)?.isEqual(to: key) ?? false
    }
  }

  /// Returns a hash that differs in each process, so that keys cannot be chosen to collide.
  private static func hash(_ key: PageBytes) -> Int {
    var hasher = Hasher()
    var offset = 0
    while offset + 8 <= key.count {
      hasher.combine(key.load(UInt64.self, at: offset))
      offset += 8
    }
    while offset < key.count {
      hasher.combine(key.load(UInt8.self, at: offset))
      offset += 1
    }
    return hasher.finalize()
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    let mask = slots.count - 1
    PageBytes.with(text) { text in
      for entry in ids.indices {
        let start = entry == 0 ? 0 : ends[entry - 1]
        guard let key = text.slice(at: start, count: ends[entry] - start) else { continue }
        var slot = Self.hash(key) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = UInt32(entry + 1)
      }
    }
  }
}
