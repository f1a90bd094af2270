internal import WhimbrelEngine
internal import WhimbrelLMDB

/// The object IDs of a class by its primary keys, which a dump's links name.
///
/// A key takes its own bytes and 24 to 32 more.
struct KeyDirectory {
  /// The keys, one behind the other, as ``PropertyValue/keyText`` has them.
  private var text: [UInt8] = []
  /// Where each key ends.
  private var ends: [Int] = []
  private var ids: [UInt64] = []
  /// Places in `ids` plus one, by the hash of the key; 0 where there is none.
  private var slots: [UInt32] = Array(repeating: 0, count: 1_024)

  /// How many keys there are.
  var count: Int { ids.count }

  /// The object with a key, or nil.
  ///
  /// - Complexity: O(*k*) for *k* bytes of the key.
  func object(_ key: PageBytes) -> ObjectID? {
    let entry = slots[slot(of: key)]
    return entry == 0 ? nil : ObjectID(rawValue: ids[Int(entry) - 1])
  }

  /// Adds an object. One that has the key of another before it is left out.
  mutating func insert(_ key: PageBytes, _ id: ObjectID) {
    if (ids.count + 1) * 2 > slots.count { grow() }
    let slot = slot(of: key)
    guard slots[slot] == 0, ids.count < Int(UInt32.max) - 1 else { return }
    text.append(key)
    ends.append(text.count)
    ids.append(id.rawValue)
    slots[slot] = UInt32(ids.count)
  }

  /// The place of a key, or the one where it is to be.
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

  /// The hash is another in each process, so that nobody can choose keys that collide.
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
