/// An observer of all objects of a store.
package final class ContentObserver: StoreObserver {
  /// Something to tell.
  package enum News {
    case initial
    case change(ContentChange)
    case failure(any Error)
  }

  private let tell: (News) -> Void
  private var change = ContentChange()
  private var isInitial = true

  package init(_ tell: @escaping (News) -> Void) { self.tell = tell }

  override package func begin(in session: Session) throws {
    isInitial = true
    change = ContentChange()
  }

  override func follow(_ changes: StoreChanges) throws -> Bool {
    for table in changes.session.classes {
      let own = try changes.of(table)
      if !own.isEmpty { try change.add(own) }
    }
    return isInitial || !change.classes.isEmpty
  }

  override func skip() { change = ContentChange() }

  override func deliver() {
    if isInitial {
      isInitial = false
      return tell(.initial)
    }
    let change = change
    skip()
    if !change.classes.isEmpty { tell(.change(change)) }
  }

  override package func fail(_ error: any Error) { tell(.failure(error)) }
}

/// The difference between the objects of a store before and after a change.
package struct ContentChange: Sendable {
  package enum Kind: Sendable {
    case added, deleted, modified
  }

  /// How objects have changed, by class.
  package private(set) var classes: [String: [ObjectID: Kind]] = [:]

  /// Adds changes that follow those at hand.
  mutating func add(_ changes: ClassChanges) throws {
    var objects = classes[changes.table.name] ?? [:]
    for change in changes.changes {
      guard try changes.hasChanged(change, at: nil) else { continue }
      let kind: Kind = change.old == nil ? .added : change.new == nil ? .deleted : .modified
      switch (objects[change.id], kind) {
      case (.added, .deleted): objects[change.id] = nil
      case (.added, _): break
      case (.deleted, .added): objects[change.id] = .modified
      case (_, let kind): objects[change.id] = kind
      }
    }
    classes[changes.table.name] = objects.isEmpty ? nil : objects
  }
}
