/// An observer of all objects of a store.
package final class ContentObserver: StoreObserver {
  /// A notification.
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
    try take(ContentChange(changes))
  }

  override var task: ObserverWork.Task? { { try ContentChange($0) } }

  override func take(_ finding: any Sendable) -> Bool {
    if let new = finding as? ContentChange { change.add(new) }
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

  /// The kinds of change, by class and object.
  package private(set) var classes: [String: [ObjectID: Kind]] = [:]

  fileprivate init() {}

  fileprivate init(_ changes: StoreChanges) throws {
    for table in changes.session.classes {
      let own = try changes.of(table)
      for change in own.changes where own.hasChanged(change) {
        classes[table.name, default: [:]][change.id] =
          change.old == nil ? .added : change.new == nil ? .deleted : .modified
      }
    }
  }

  /// Adds later changes.
  fileprivate mutating func add(_ other: ContentChange) {
    if classes.isEmpty {
      self = other
      return
    }
    for (name, changes) in other.classes {
      var objects = classes[name] ?? [:]
      for (id, kind) in changes {
        switch (objects[id], kind) {
        case (.added, .deleted): objects[id] = nil
        case (.added, _): break
        case (.deleted, .added): objects[id] = .modified
        case (_, let kind): objects[id] = kind
        }
      }
      classes[name] = objects.isEmpty ? nil : objects
    }
  }
}
