internal import WhimbrelLMDB

/// An observer of one object.
package final class ObjectObserver: StoreObserver {
  /// A notification.
  package enum News {
    case change([Change])
    case deleted
    case failure(any Error)
  }

  /// A property whose value has changed.
  package struct Change: Sendable {
    package let name: String
    /// The values, or nil for a collection.
    package let old: PropertyValue?
    package let new: PropertyValue?
  }

  private let className: String
  private let id: ObjectID
  /// The class of the object. Another class may get its name.
  private let classID: ClassID
  private let paths: [QueryPath]?
  private let tell: (News) -> Void
  private weak var session: Session?
  private var reported: QueryDependencies?
  /// The values of the changed properties at the last notification, by position. A value is nil for
  /// a collection.
  private var old: [Int: PropertyValue?] = [:]
  /// Whether a change is due that ``old`` does not describe: of an object to which a path leads
  /// through links, or of the object itself, perhaps, while its changes could not be followed.
  private var hasOtherChange = false
  private var isDeleted = false
  private var isBeginning = true

  /// - Parameter paths: The paths to the values whose changes are reported, or nil to report all
  ///   properties.
  package init(
    _ className: String, _ classID: ClassID, _ id: ObjectID, reporting paths: [QueryPath]?,
    _ tell: @escaping (News) -> Void
  ) {
    (self.className, self.classID) = (className, classID)
    self.id = id
    self.paths = paths
    self.tell = tell
  }

  override var object: (className: String, id: ObjectID)? {
    // Paths through links also depend on other classes.
    reported?.triggers.isEmpty == false ? nil : (className, id)
  }

  override var classNames: Set<String>? {
    Set([className] + (reported?.tables.map(\.name) ?? []))
  }

  override package func begin(in session: Session) throws {
    let table = try session.table(className)
    guard try table.resolved.id == classID && table.contains(id) else {
      guard isBeginning else {
        isDeleted = true
        return
      }
      throw table.resolved.deleted(id)
    }
    self.session = session
    reported = try paths.map { try QueryDependencies(of: table, $0) }
    // The positions in `old` belong to the previous catalog.
    old.removeAll()
    hasOtherChange = !isBeginning
    isBeginning = false
  }

  override func follow(_ delta: ObjectDelta, in session: Session) -> Bool {
    if delta.isDeleted {
      isDeleted = true
      return true
    }
    var isChanged = false
    for (position, value) in delta.old where reported?.own.contains(position) ?? true {
      isChanged = true
      if old[position] == nil { old[position] = .some(value) }
    }
    return isChanged
  }

  /// The change of the object, and whether a linked object has changed.
  private struct LinkedFinding: Sendable {
    let delta: ObjectDelta?
    let isLinked: Bool
  }

  override func follow(_ changes: StoreChanges) throws -> Bool {
    guard let finding = try task?(changes) else { return false }
    return take(finding)
  }

  override var task: ObserverWork.Task? {
    let (className, id, paths) = (className, id, paths ?? [])
    return { changes in
      let table = try changes.session.table(className)
      let reported = try QueryDependencies(of: table, paths)
      let own = try changes.of(table)
      let delta = try own.change(of: id).map(own.delta)
      let isLinked = try reported.linkedObjects(changes, limit: .max)?.contains(id) == true
      return delta != nil || isLinked ? LinkedFinding(delta: delta, isLinked: isLinked) : nil
    }
  }

  override func take(_ finding: any Sendable) -> Bool {
    guard let finding = finding as? LinkedFinding, let session else { return false }
    if finding.isLinked { hasOtherChange = true }
    return finding.delta.map { follow($0, in: session) } == true || finding.isLinked
  }

  override func skip() {
    old.removeAll()
    hasOtherChange = false
  }

  override func deliver() {
    if isDeleted {
      state.end()
      return tell(.deleted)
    }
    let (before, hasOther) = (old, hasOtherChange)
    skip()
    guard let session, let table = session.find(className), !before.isEmpty || hasOther else {
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
        // The value has changed back.
        if let old, let new, ObservedValue(old) == ObservedValue(new) { continue }
      }
      changes.append(Change(name: property.name, old: old, new: new))
    }
    if changes.isEmpty, !hasOther { return }
    tell(.change(changes))
  }

  override package func fail(_ error: any Error) { tell(.failure(error)) }
}
