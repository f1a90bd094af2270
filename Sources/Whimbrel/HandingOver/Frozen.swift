internal import WhimbrelEngine

/// An object as it was at one commit. It never changes, and any number of threads can read it.
///
/// ```swift
/// let tokyo = try zone.frozen
/// Task.detached {
///   print(tokyo.identifier, tokyo.country?.name ?? "no country")
///   for neighbor in tokyo.neighbors { print(neighbor.identifier) }
/// }
/// ```
///
/// It has the properties of its object, also the computed ones. Values are read when they are asked
/// for, as the object had them when its store was last refreshed, or ended its last write, before
/// ``Model/frozen``. They stay so while others write, and after the object is deleted or its store
/// is closed.
///
/// - A value keeps its type, which must be `Sendable`.
/// - A link is a frozen object, or nil.
/// - A list, a set, an inverse or a query of objects is ``FrozenResults``.
/// - A list of values is an array, a set of values is a set, and a map is a dictionary.
/// - An `AnyValue`, which may contain live objects, is read with ``read(_:)``.
///
/// Live objects do not leave a frozen one. To get one back, resolve it in a store:
/// ``Store/resolve(_:)-(Frozen<Element>)``.
///
/// A frozen object pins the pages of its commit. The file cannot reuse them, so it grows with each
/// write of others until the last frozen object of that commit is released. All frozen objects and results
/// of a commit share one snapshot. ``Store/pinned`` shows it, and
/// ``Store/Configuration/snapshotLimits`` limits it. The file stays open for as long.
///
/// Two frozen objects are equal if they are the same object at the same commit.
///
/// - Complexity: Each property that is read looks the object up: O(log *n*), a third of a microsecond
///   among 1,000 objects. ``read(_:)`` looks it up once for many properties.
@dynamicMemberLookup
public struct Frozen<Element: Model>: Sendable {
  let snapshot: FrozenSnapshot
  /// The ID of the object within its class.
  public let objectID: ObjectID

  init(_ snapshot: FrozenSnapshot, _ objectID: ObjectID) {
    self.snapshot = snapshot
    self.objectID = objectID
  }

  /// The value of a property. If it cannot be read, it is empty, and the next ``read(_:)`` of the
  /// same commit throws the error.
  public subscript<Value: Sendable>(dynamicMember keyPath: KeyPath<Element, Value>) -> Value {
    reading { $0[keyPath: keyPath] }
  }

  /// The object that a link leads to, or nil.
  public subscript<Target: Model>(
    dynamicMember keyPath: KeyPath<Element, Target?>
  ) -> Frozen<Target>? {
    reading { $0[keyPath: keyPath]?.objectID }.map { Frozen<Target>(snapshot, $0) }
  }

  /// The objects of a list, a set, an inverse or a query.
  ///
  /// - Complexity: O(*n*).
  public subscript<Objects: QueryableObjects>(
    dynamicMember keyPath: KeyPath<Element, Objects>
  ) -> FrozenResults<Objects.Element> {
    FrozenResults(snapshot, reading { $0[keyPath: keyPath].results.ids })
  }

  /// The values of a list.
  ///
  /// - Complexity: O(*n*).
  public subscript<Value: CollectionElement & ModelValue & Sendable>(
    dynamicMember keyPath: KeyPath<Element, StoredList<Value>>
  ) -> [Value] {
    reading { Array($0[keyPath: keyPath]) }
  }

  /// The values of a set.
  ///
  /// - Complexity: O(*n*).
  public subscript<Value: CollectionElement & ModelValue & Hashable & Sendable>(
    dynamicMember keyPath: KeyPath<Element, StoredSet<Value>>
  ) -> Set<Value> {
    reading { Set($0[keyPath: keyPath]) }
  }

  /// The values of a map.
  ///
  /// - Complexity: O(*n*).
  public subscript<Key: Sendable, Value: CollectionElement & ModelValue & Sendable>(
    dynamicMember keyPath: KeyPath<Element, StoredMap<Key, Value>>
  ) -> [Key: Value] {
    reading { object in
      Dictionary(keepingFirst: object[keyPath: keyPath].map { ($0.key, $0.value) })
    }
  }

  /// The objects of a map.
  ///
  /// - Complexity: O(*n*).
  public subscript<Key: Sendable, Target: Model>(
    dynamicMember keyPath: KeyPath<Element, StoredMap<Key, Target>>
  ) -> [Key: Frozen<Target>] {
    let ids = reading { object in
      Dictionary(keepingFirst: object[keyPath: keyPath].map { ($0.key, $0.value.objectID) })
    }
    return ids.compactMapValues { id in id.map { Frozen<Target>(snapshot, $0) } }
  }
}

// MARK: - Reading

extension Frozen {
  /// Runs a closure with a live object that shows the frozen state, and returns what it returns.
  ///
  /// ```swift
  /// let tokyo = try zone.frozen
  /// let text = try tokyo.read { "\($0.identifier): \($0.latitude), \($0.longitude)" }
  /// ```
  ///
  /// Inside, links, lists and queries work as usual, and nothing can be written. The closure is
  /// `@Sendable` and its result is `Sendable`, so that the object does not leave it. The object's
  /// ``Model/store`` is nil.
  ///
  /// - Throws: The error of the closure; ``StoreError`` if something cannot be read, or could not
  ///   be read before where nothing could be thrown.
  /// - Complexity: O(log *n*), plus what the closure does.
  public func read<Result: Sendable>(
    _ body: @Sendable (Element) throws -> Result
  ) throws -> Result {
    try snapshot.read { try body(object(in: $0)) }
  }

  /// Reads from a live object, which must not leave the closure.
  private func reading<Value>(_ body: (Element) -> Value) -> Value {
    snapshot.reading { body(object(in: $0)) }
  }

  private func object(in session: Session) -> Element {
    let table = session.requiredTable(Element._$schema.name)
    let row: ModelRow
    do {
      guard let found = try session.row(of: objectID, in: table) else {
        throw table.missing(objectID)
      }
      row = found
    } catch {
      // Frozen objects were there: this is damage, and reads as empty.
      session.note(error)
      row = ModelRow(unreadable: objectID, in: table, session)
    }
    return Element(_$row: row)
  }

  /// A reference to the object, which pins nothing.
  public var objectHandle: ObjectHandle<Element> { ObjectHandle(reading(\.objectIdentity)) }
}

extension Frozen: Hashable {
  /// Returns whether both are the same object at the same commit of the same file.
  public static func == (left: Frozen, right: Frozen) -> Bool {
    left.objectID == right.objectID && left.snapshot.isSame(as: right.snapshot)
  }

  /// Hashes the ID of the object.
  public func hash(into hasher: inout Hasher) { hasher.combine(objectID) }
}

extension Frozen: Identifiable {
  /// The `id` of the live object: its identity, or what the model declares as `id`. It stays the same
  /// from commit to commit.
  public var id: Element.ID {
    if Element.ID.self is any Model.Type {
      stopProgram("Could not read '\(Element.self).id' of a frozen object: it is a live object.")
    }
    return reading(\.id)
  }
}

extension Frozen: CustomStringConvertible {
  /// The class and the properties on one line.
  public var description: String { reading { "\($0)" } }
}

// MARK: - Freezing

extension Model {
  /// The object as its store shows it now, for any thread: see ``Frozen``.
  ///
  /// ```swift
  /// let frozen = try zone.frozen
  /// try store.write { zone.comments = "changed" }
  /// print(frozen.comments)  // As before the write.
  /// ```
  ///
  /// - Throws: ``StoreError`` with `notInStore` if the object is unmanaged, with `objectDeleted`,
  ///   with `storeClosed`, with `inWrite` in a write or a migration of its store, and with
  ///   `tooManyReaders` if a snapshot cannot be taken.
  /// - Complexity: O(log *n*). The first time after a write or a refresh also makes a snapshot that
  ///   can be shared, which takes less than a millisecond.
  public var frozen: Frozen<Self> {
    get throws {
      guard let session = _$row.session, let table = _$row.table else {
        throw StoreError.notInStore(verb: "freeze", class: Self._$schema.name)
      }
      let snapshot = try session.frozen()
      let shown = try session.table(table.name)
      guard try shown.contains(_$row.id), session.current(table) === shown else {
        throw table.resolved.deleted(_$row.id)
      }
      return Frozen(snapshot, _$row.id)
    }
  }
}
