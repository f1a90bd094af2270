internal import Observation
internal import Synchronization

/// A tracker that tells Swift's `Observation` what is read from a store and when it changes.
///
/// All objects of a store share one registrar. A read is reported as a key path that contains the
/// object and the property, so tracking works even if nobody keeps the Swift object. A read is
/// recorded only while somebody tracks, until its value changes.
///
/// A query is recorded by the classes and properties that it reads. A change of such a property
/// counts as a change of the query, whatever the object. So does an insertion or deletion of any
/// object.
package final class ReadTracker: Observable {
  /// A read of one class.
  fileprivate enum Item: Hashable, Sendable {
    case value(ObjectID, Int)
    /// Whether an object exists.
    case existence(ObjectID)
    /// A property of all objects.
    case property(Int)
    /// The set of existing objects.
    case members
    /// Anything in the store.
    case everything
    /// Nothing: see ``isTracking``.
    case probe(Probe)
  }

  /// A value that counts how often it was hashed. Each tracker has its own, because other threads
  /// may track other stores at the same time.
  fileprivate final class Probe: Hashable, Sendable {
    private let count = Atomic(0)

    var hashCount: Int { count.load(ordering: .relaxed) }

    static func == (left: Probe, right: Probe) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
      count.add(1, ordering: .relaxed)
      hasher.combine(ObjectIdentifier(self))
    }
  }

  fileprivate struct Key: Hashable, Sendable {
    let className: String
    let item: Item
  }

  /// The reads of one class.
  fileprivate struct ClassReads: Sendable {
    var objects: [ObjectID: Set<Item>] = [:]
    var properties: Set<Int> = []
    var hasMembers = false
  }

  /// The recorded reads of all classes.
  fileprivate struct Reads: Sendable {
    var classes: [String: ClassReads] = [:]
    var hasEverything = false
  }

  private let registrar = ObservationRegistrar()
  private let probe = Probe()
  private let probePath: KeyPath<ReadTracker, Int>
  private unowned let session: Session
  private let onFirstRead: (Session) -> Void
  private var observer: ReadObserver?
  fileprivate private(set) var reads = Reads()
  /// The reads since another thread began to look for changes, or nil if none does.
  private var newReads: Set<Key>?
  /// The reads in the current write, which may be rolled back.
  private var readsOfWrite: Set<Key> = []

  /// - Parameter onFirstRead: A closure that is called on the first read while somebody tracks.
  package init(_ session: Session, onFirstRead: @escaping (Session) -> Void) {
    self.session = session
    self.onFirstRead = onFirstRead
    probePath = \ReadTracker.[Key(className: "", item: .probe(probe))]
  }

  /// Represents a read in a key path.
  fileprivate subscript(key: Key) -> Int { 0 }

  /// Whether no read is recorded.
  package var isEmpty: Bool { reads.classes.isEmpty && !reads.hasEverything }
}

// MARK: - Noting what is read

extension ReadTracker {
  /// Whether a registrar hashes a key path exactly when somebody tracks. Observation does not say
  /// whether somebody tracks, but it keeps the tracked key paths in a set.
  private static let hashesTellOfTracking: Bool = {
    let registrar = ObservationRegistrar()
    let subject = ProbeSubject()
    let probe = Probe()
    func isHashed() -> Bool {
      let before = probe.hashCount
      registrar.access(subject, keyPath: \ProbeSubject.[Key(className: "", item: .probe(probe))])
      return probe.hashCount != before
    }
    var isHashedInTracking = false
    withObservationTracking {
      isHashedInTracking = isHashed()
    } onChange: {
    }
    return isHashedInTracking
  }()

  private final class ProbeSubject: Observable {
    subscript(key: Key) -> Int { 0 }
  }

  /// Whether somebody tracks what this thread reads. It may be true when nobody does, but it is
  /// never false in error.
  private var isTracking: Bool {
    guard Self.hashesTellOfTracking else { return true }
    let before = probe.hashCount
    registrar.access(self, keyPath: probePath)
    return probe.hashCount != before
  }

  /// Records that a property of an object is read.
  package func noteRead(of id: ObjectID, _ position: Int, in table: ClassTable) {
    guard isTracking else { return }
    note(.value(id, position), table.name)
  }

  /// Records that somebody reads whether an object exists.
  package func noteExistence(of id: ObjectID, in table: ClassTable) {
    guard isTracking else { return }
    note(.existence(id), table.name)
  }

  /// Records that somebody reads which objects a class has.
  package func noteMembers(of className: String) {
    guard isTracking else { return }
    note(.members, className)
  }

  /// Records a read of the objects that link to an object through a property.
  package func noteLinks(
    to id: ObjectID, _ table: ClassTable, by property: Int, of source: ClassTable
  ) {
    guard isTracking else { return }
    note(.existence(id), table.name)
    note(.members, source.name)
    note(.property(property), source.name)
  }

  /// Records a read of something that the library does not know.
  package func noteEverything() {
    guard isTracking else { return }
    note(.everything, "")
  }

  /// Records a read of a query, and of a property of each of its objects.
  ///
  /// - Parameter path: The path to the property, or nil. The default is nil.
  package func noteRead(
    of query: () throws -> BoundQuery, reading path: () throws -> QueryPath? = { nil }
  ) {
    guard isTracking else { return }
    guard let query = try? query(),
      let dependencies = try? QueryDependencies(of: query, reading: path())
    else {
      // A query that fails now may succeed after any change.
      return note(.everything, "")
    }
    note(.members, query.table.name)
    for position in dependencies.own { note(.property(position), query.table.name) }
    for trigger in dependencies.triggers {
      note(.members, trigger.table.name)
      note(.property(trigger.position), trigger.table.name)
    }
    switch query.request.source {
    case .all: break
    case .collection(let owner, let className, let property):
      guard let position = try? session.table(className).resolved.requiredPosition(of: property)
      else { return note(.everything, "") }
      note(.value(owner, position), className)
    case .linking(_, _, let property):
      guard let position = try? query.table.resolved.requiredPosition(of: property) else {
        return note(.everything, "")
      }
      note(.property(position), query.table.name)
    case .answerable: note(.everything, "")
    }
  }

  private func note(_ item: Item, _ className: String) {
    begin()
    let key = Key(className: className, item: item)
    if session.isWriting { readsOfWrite.insert(key) }
    newReads?.insert(key)
    let isKnownClass = item == .everything ? reads.hasEverything : reads.classes[className] != nil
    reads.insert(key)
    if !isKnownClass { session.observers.didChangeClassNames() }
    registrar.access(self, keyPath: \ReadTracker.[key])
  }

  /// Starts following the changes of the store, unless it has started.
  private func begin() {
    if let observer, !observer.state.isEnded { return }
    let made = ReadObserver(self)
    do {
      try session.observers.add(made)
      observer = made
      onFirstRead(session)
    } catch {
      session.note(error)
    }
  }
}

// MARK: - Telling what changes

extension ReadTracker {
  /// Removes changed reads, and returns those that were recorded.
  fileprivate func take(_ keys: [Key]) -> [Key] { keys.filter { reads.remove($0) } }

  /// Collects the reads from now on. Another thread looks for changes of the earlier ones.
  fileprivate func beginNewReads() { newReads = [] }

  /// Returns the reads since ``beginNewReads()``, and stops collecting them.
  fileprivate func takeNewReads() -> [Key] { Array(newReads.take() ?? []) }

  /// Removes and returns all reads.
  fileprivate func takeAll() -> [Key] {
    defer { reads = Reads() }
    return reads.all
  }

  /// Reports changes of the keys to `Observation`. Its observers may read and track again.
  fileprivate func tell(_ keys: [Key]) {
    for key in keys {
      let path = \ReadTracker.[key]
      registrar.willSet(self, keyPath: path)
      registrar.didSet(self, keyPath: path)
    }
  }

  /// Reports everything that was read in a write that has ended, because it may have been rolled
  /// back.
  func didEndWrite() {
    if readsOfWrite.isEmpty { return }
    let keys = Array(readsOfWrite)
    readsOfWrite.removeAll()
    for key in keys { reads.remove(key) }
    tell(keys)
  }
}

extension ReadTracker.Reads {
  fileprivate typealias Key = ReadTracker.Key
  fileprivate typealias Item = ReadTracker.Item

  mutating func insert(_ key: Key) {
    let name = key.className
    switch key.item {
    case .value(let id, _), .existence(let id):
      classes[name, default: .init()].objects[id, default: []].insert(key.item)
    case .property(let position): classes[name, default: .init()].properties.insert(position)
    case .members: classes[name, default: .init()].hasMembers = true
    case .everything: hasEverything = true
    case .probe: break
    }
  }

  /// Removes a read, and returns whether it was recorded.
  @discardableResult
  mutating func remove(_ key: Key) -> Bool {
    let name = key.className
    var wasThere = false
    switch key.item {
    case .value(let id, _), .existence(let id):
      wasThere = classes[name]?.objects[id]?.remove(key.item) != nil
      if classes[name]?.objects[id]?.isEmpty == true { classes[name]?.objects[id] = nil }
    case .property(let position):
      wasThere = classes[name]?.properties.remove(position) != nil
    case .members:
      wasThere = classes[name]?.hasMembers == true
      classes[name]?.hasMembers = false
    case .everything:
      wasThere = hasEverything
      hasEverything = false
    case .probe: break
    }
    if let known = classes[name], known.objects.isEmpty, known.properties.isEmpty,
      !known.hasMembers
    {
      classes[name] = nil
    }
    return wasThere
  }

  var all: [Key] {
    var keys: [Key] = hasEverything ? [Key(className: "", item: .everything)] : []
    for (className, known) in classes {
      var items: [Item] = known.objects.values.flatMap { $0 }
      items += known.properties.map { .property($0) }
      if known.hasMembers { items.append(.members) }
      keys += items.map { Key(className: className, item: $0) }
    }
    return keys
  }

  /// Returns the reads whose values have changed.
  func changed(_ changes: StoreChanges) throws -> [Key] {
    var keys: [Key] = []
    for (className, known) in classes {
      guard let table = changes.session.find(className) else { continue }
      let own = try changes.of(table)
      if own.isEmpty { continue }
      let items = Self.changedObjects(known, own) + Self.changedItems(known, own)
      keys += items.map { Key(className: className, item: $0) }
    }
    if hasEverything, try changes.session.classes.contains(where: { try !changes.of($0).isEmpty }) {
      keys.append(Key(className: "", item: .everything))
    }
    return keys
  }

  /// Returns the recorded values of objects that have changed.
  private static func changedObjects(
    _ known: ReadTracker.ClassReads, _ own: ClassChanges
  ) -> [Item] {
    func items(_ change: ClassChanges.Change, _ noted: Set<Item>) -> [Item] {
      guard change.old != nil, change.new != nil else { return Array(noted) }
      return noted.filter { item in
        guard case .value(_, let position) = item else { return false }
        return own.hasChanged(change, at: position)
      }
    }
    if known.objects.count < own.changes.count {
      return known.objects.flatMap { id, noted in
        own.change(of: id).map { items($0, noted) } ?? []
      }
    }
    return own.changes.flatMap { change in
      known.objects[change.id].map { items(change, $0) } ?? []
    }
  }

  /// Returns the recorded properties that have changed in any object.
  private static func changedItems(
    _ known: ReadTracker.ClassReads, _ own: ClassChanges
  ) -> [Item] {
    var items: [Item] = []
    if known.hasMembers, own.changes.contains(where: { $0.old == nil || $0.new == nil }) {
      items.append(.members)
    }
    var rest = known.properties
    for change in own.changes where !rest.isEmpty && change.old != nil && change.new != nil {
      for position in rest where own.hasChanged(change, at: position) {
        items.append(.property(position))
        rest.remove(position)
      }
    }
    return items
  }
}

/// The observer through which a ``ReadTracker`` follows changes.
private final class ReadObserver: StoreObserver {
  private weak var tracker: ReadTracker?
  private var keys: [ReadTracker.Key] = []
  private var isBeginning = true

  init(_ tracker: ReadTracker) { self.tracker = tracker }

  override func begin(in session: Session) throws {
    // The changes are not known, so everything counts as changed.
    if !isBeginning { keys += tracker?.takeAll() ?? [] }
    isBeginning = false
  }

  override var classNames: Set<String>? {
    guard let reads = tracker?.reads else { return [] }
    return reads.hasEverything ? nil : Set(reads.classes.keys)
  }

  override func follow(_ changes: StoreChanges) throws -> Bool {
    guard let tracker else { return false }
    // The new reads are among all reads.
    _ = tracker.takeNewReads()
    keys += tracker.take(try tracker.reads.changed(changes))
    return !keys.isEmpty
  }

  override var task: ObserverWork.Task? {
    guard let tracker else { return nil }
    tracker.beginNewReads()
    let reads = tracker.reads
    return { try reads.changed($0) }
  }

  override func take(_ finding: any Sendable) -> Bool {
    guard let tracker, let found = finding as? [ReadTracker.Key] else { return false }
    // Values that were read meanwhile may have changed.
    keys += tracker.take(found + tracker.takeNewReads())
    return !keys.isEmpty
  }

  override func deliver() {
    let keys = keys
    self.keys = []
    tracker?.tell(keys)
  }
}
