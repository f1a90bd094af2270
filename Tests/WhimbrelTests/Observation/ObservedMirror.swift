import Testing
import Whimbrel

/// A copy of observed objects that only follows what it is told, and is compared with the objects.
final class ObservedMirror {
  let name: String
  private let find: () -> [ObjectID]
  private let describe: (ObjectID) -> String?
  /// Whether an object may occur several times, so that the fewest moves are not looked for.
  private let mayRepeat: Bool
  /// Whether only the objects' own values make them modified ones.
  private let readsOnlyOwn: Bool
  private(set) var ids: [ObjectID] = []
  private var values: [ObjectID: String] = [:]
  private var problem: String?
  private var modified: Set<ObjectID> = []
  /// The number of updates since the last check.
  private var newCount = 0
  private(set) var updateCount = 0
  private(set) var initialCount = 0
  private(set) var errors: [any Error] = []
  private var token: ObservationToken?

  init<Objects: QueryableObjects>(
    _ name: String, _ objects: Objects, mayRepeat: Bool = false, readsOnlyOwn: Bool = true,
    isolation: isolated (any Actor)? = #isolation,
    describe: @escaping (Objects.Element) -> String
  ) {
    self.name = name
    self.mayRepeat = mayRepeat
    self.readsOnlyOwn = readsOnlyOwn
    let results = objects.results
    find = { results.ids }
    self.describe = { id in results.first { $0.objectID == id }.map(describe) }
    token = objects.observe(isolation: isolation) { [unowned self] change in
      switch change {
      case .initial(let objects):
        initialCount += 1
        ids = objects.ids
        // All are shown anew.
        values = [:]
      case .update(let objects, let update): take(update, objects.ids)
      case .error(let error): errors.append(error)
      }
    }
    refreshValues()
  }

  func end() { token = nil }

  private func take(_ update: CollectionUpdate, _ now: [ObjectID]) {
    updateCount += 1
    newCount += 1
    if update.idsBefore != ids { problem = "began with \(update.idsBefore), and not with \(ids)" }
    if update.ids != now { problem = "ended with \(update.ids), and not with \(now)" }
    var next = ids
    for position in update.deletions.reversed() { next.remove(at: position) }
    for position in update.insertions { next.insert(now[position], at: position) }
    if next != now { problem = "\(ids) became \(next), and not \(now), by \(update)" }
    let lists = [update.deletions, update.insertions, update.modifications]
    for list in lists + [update.modificationsBefore] where list != Array(Set(list)).sorted() {
      problem = "positions do not ascend: \(update)"
    }
    for (from, to) in zip(update.modificationsBefore, update.modifications)
    where ids[from] != now[to] || update.deletions.contains(from) {
      problem = "\(from) and \(to) are not the same object, or it moved"
    }
    for move in update.moves where ids[move.from] != now[move.to] {
      problem = "\(move) is not a move"
    }
    if !mayRepeat, update.deletions.count != ids.count - Self.longestStay(ids, now) {
      problem = "\(update.deletions.count) deletions are too many: \(ids) became \(now)"
    }
    if update.deletions.isEmpty, update.insertions.isEmpty, update.modifications.isEmpty {
      problem = "an empty change was told"
    }
    modified.formUnion(update.modifications.map { now[$0] })
    // Those that came or moved are shown anew.
    for position in update.insertions { values[now[position]] = nil }
    ids = now
  }

  /// Returns how many objects can stay, at most.
  static func longestStay<ID: Hashable>(_ old: [ID], _ new: [ID]) -> Int {
    let places = Dictionary(old.enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 })
    var best: [(end: Int, length: Int)] = []
    for id in new {
      guard let place = places[id] else { continue }
      let length = 1 + (best.lazy.filter { $0.end < place }.map(\.length).max() ?? 0)
      best.append((place, length))
    }
    return best.map(\.length).max() ?? 0
  }

  private func refreshValues() {
    values = Dictionary(
      Set(ids).compactMap { id in describe(id).map { (id, $0) } }, uniquingKeysWith: { $1 })
  }

  /// Compares the copy with the objects.
  func check(_ note: String) {
    if let problem { Issue.record("\(name), \(note): \(problem)") }
    problem = nil
    #expect(ids == find(), "\(name), \(note)")
    #expect(errors.isEmpty, "\(name), \(note)")
    let before = values
    refreshValues()
    for (id, value) in values {
      guard let old = before[id] else { continue }
      if old != value {
        #expect(modified.contains(id), "\(name), \(note): \(id) was modified, \(old) to \(value)")
      } else if readsOnlyOwn, newCount < 2 {
        // A second update may give the value back that the first one took.
        #expect(!modified.contains(id), "\(name), \(note): \(id) was not modified")
      }
    }
    modified = []
    newCount = 0
  }
}
