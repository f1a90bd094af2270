internal import WhimbrelLMDB

/// An observer of one object.
package final class ObjectObserver: StoreObserver {
  /// Something to tell.
  package enum News {
    case change([Change])
    case deleted
    case failure(any Error)
  }

  /// A property with another value.
  package struct Change: Sendable {
    package let name: String
    /// The values, or nil for a collection.
    package let old: PropertyValue?
    package let new: PropertyValue?
  }

  private let className: String
  private let id: ObjectID
  private let paths: [QueryPath]?
  private let tell: (News) -> Void
  private weak var session: Session?
  private var reported: QueryDependencies?
  /// The values that the changed properties had when they were told last, by position; nil for
  /// those of collections.
  private var old: [Int: PropertyValue?] = [:]
  /// Whether something has changed that a path leads to through links.
  private var hasLinkedChange = false
  private var isDeleted = false
  private var isBeginning = true

  /// - Parameter paths: The paths to the values whose changes are told, or nil for those of all
  ///   properties.
  package init(
    _ className: String, _ id: ObjectID, reporting paths: [QueryPath]?,
    _ tell: @escaping (News) -> Void
  ) {
    self.className = className
    self.id = id
    self.paths = paths
    self.tell = tell
  }

  override var object: (className: String, id: ObjectID)? {
    // Paths through links need a look at other classes, too.
    reported?.triggers.isEmpty == false ? nil : (className, id)
  }

  override var classNames: Set<String>? {
    Set([className] + (reported?.tables.map(\.name) ?? []))
  }

  override package func begin(in session: Session) throws {
    let table = try session.table(className)
    self.session = session
    reported = try paths.map { paths in
      var dependencies = QueryDependencies(of: table)
      for path in paths { dependencies.add(try BoundPath(path, in: table)) }
      return dependencies
    }
    guard try table.contains(id) else {
      guard isBeginning else {
        isDeleted = true
        return
      }
      throw table.resolved.deleted(id)
    }
    isBeginning = false
  }

  override func follow(_ changes: StoreChanges) throws -> Bool {
    guard let table = changes.session.find(className) else { return false }
    let own = try changes.of(table)
    var isChanged = false
    if let change = own.change(of: id) {
      if change.new == nil {
        isDeleted = true
        return true
      }
      let all = try own.positions(of: change)
      for position in reported.map({ all.intersection($0.own) }) ?? all {
        isChanged = true
        if old[position] != nil { continue }
        let isCollection = table.resolved.properties[position].type.isCollection
        old[position] =
          isCollection ? .some(nil) : try own.value(position, of: change, changes.before)
      }
    }
    guard let reported, !reported.triggers.isEmpty else { return isChanged }
    let linked = try reported.linkedObjects(changes, limit: .max) ?? []
    if linked.contains(id) {
      isChanged = true
      hasLinkedChange = true
    }
    return isChanged
  }

  override func skip() {
    old.removeAll()
    hasLinkedChange = false
  }

  override func deliver() {
    if isDeleted {
      state.end()
      return tell(.deleted)
    }
    let (before, isLinked) = (old, hasLinkedChange)
    skip()
    guard let session, let table = session.find(className), !before.isEmpty || isLinked else {
      return
    }
    var changes: [Change] = []
    for (position, old) in before.sorted(by: { $0.key < $1.key }) {
      let property = table.resolved.properties[position]
      var new: PropertyValue?
      if !property.type.isCollection {
        do {
          new = try table.record(id).map { try table.value(position, of: $0, id) }
        } catch {
          session.note(error)
        }
        // It has changed back.
        if let old, old == new { continue }
      }
      changes.append(Change(name: property.name, old: old, new: new))
    }
    if changes.isEmpty, !isLinked { return }
    tell(.change(changes))
  }

  override package func fail(_ error: any Error) { tell(.failure(error)) }
}
