internal import WhimbrelEngine
internal import WhimbrelLMDB

/// The location of a collection in a store: a property of an owner.
///
/// An unmanaged collection has a storage without an owner, and keeps its elements itself. The
/// storage gets an owner when the object is added to a store.
final class CollectionStorage {
  /// The object that owns the collection; nil for an unmanaged collection.
  // Safe, here and below: a collection is used by one call after the other, on one thread.
  @safe @exclusivity(unchecked) private(set) var owner: ModelRow?
  /// The index of the property in the owner.
  private(set) var index = 0
  /// The reader of the elements. It is valid for one epoch of the session.
  @safe @exclusivity(unchecked) private var reader: CollectionReader?
  @safe @exclusivity(unchecked) private var readerEpoch: UInt64 = 0
  /// Whether the elements could be read when they were last asked for.
  @safe @exclusivity(unchecked) private var isReadable = false
  /// A closure that is called when the collection becomes managed.
  var onManaged: (() -> Void)?

  init() {}

  init(_ owner: ModelRow, _ index: Int) {
    self.owner = owner
    self.index = index
  }

  var isManaged: Bool { owner != nil }

  func becomeManaged(_ owner: ModelRow, _ index: Int) {
    // If two objects were given the same collection, the first one keeps it.
    guard self.owner == nil else { return }
    self.owner = owner
    self.index = index
    onManaged?()
    onManaged = nil
  }

  /// Returns whether both are the same property of the same object in the same session.
  func isSame(as other: CollectionStorage) -> Bool {
    if self === other { return true }
    guard let owner, let row = other.owner, index == other.index else { return false }
    return owner.id == row.id && owner.session === row.session
      && owner.table?.resolved.id == row.table?.resolved.id
  }

  /// Whether the owner was deleted or its store was closed.
  var isInvalidated: Bool { owner?.isInvalidated ?? false }
}

// MARK: - Reading

extension CollectionStorage {
  /// Returns the session, the class table and the ID of the owner. Stops the program if the store
  /// is closed.
  private func place() -> (session: Session, table: ClassTable, id: ObjectID)? {
    guard let owner, let session = owner.session, let known = owner.table else { return nil }
    if session.isClosed { owner.stop(session.closedError) }
    guard let table = session.current(known) else {
      owner.stop(session.missingClass(of: owner.id, in: known))
    }
    return (session, table, owner.id)
  }

  /// Reads from the collection, and returns `fallback` if that fails. The next throwing call
  /// rethrows the deferred error.
  func read<Result>(
    _ fallback: Result, _ body: (CollectionReader) throws -> Result
  ) -> Result {
    do {
      let reader = try currentReader()
      isReadable = reader != nil
      return try reader.map(body) ?? fallback
    } catch {
      isReadable = false
      note(error)
      return fallback
    }
  }

  private func currentReader() throws -> CollectionReader? {
    guard let epoch = owner?.epoch(toRead: index) else { return nil }
    if let reader, readerEpoch == epoch { return reader }
    // One that is left after an error would be taken for the current one.
    reader = nil
    reader = try owner?.collectionReader(index)
    readerEpoch = epoch
    return reader
  }

  private func note(_ error: any Error) {
    guard let owner, let session = owner.session else { return }
    if let error = error as? StoreError, error.code == .objectDeleted { owner.stop(error) }
    session.note(owner.table?.explained(error, owner.id) ?? error)
  }

  /// The epoch of the session in which the elements were read last.
  var epoch: UInt64 { owner?.readEpoch ?? 0 }

  var count: Int {
    guard let count = owner?.inlineCount(index) else { return read(0) { $0.count } }
    isReadable = true
    return count
  }

  /// Returns all elements as bits, or nil if they have none.
  func bits() -> [UInt64]? {
    guard let bits = owner?.inlineBits(index) else { return read(nil) { try $0.bits() } }
    isReadable = true
    return bits
  }

  /// Returns the element at an index, or nil past the end.
  func element<Element: CollectionElement>(at position: Int, as type: Element.Type) -> Element? {
    guard let owner else { return nil }
    if Element._$hasBits {
      let bits: UInt64? = read(nil) { reader in
        position < reader.count ? try reader.leaf(containing: position).bits?[position] : nil
      }
      if let bits { return Element._$element(bits: bits, owner, index) }
    }
    return read(nil) { reader -> PropertyValue? in
      // `.none`, not `.null`: null is a value of an optional element.
      guard position < reader.count else { return .none }
      return try reader.value(at: position)
    }.map { Element._$element($0, owner, index) }
  }

  /// Returns the element at an index. An index out of range stops the program.
  func element<Element: CollectionElement>(at position: Int) -> Element {
    if position >= 0, let element = element(at: position, as: Element.self) { return element }
    requirePosition(position, in: count)
    // The element exists but cannot be read. The error is deferred.
    return placeholder()
  }

  /// Returns the value of an element that exists but cannot be read.
  func placeholder<Element: CollectionElement>() -> Element {
    Element._$element(.null, owner ?? ModelRow(), index)
  }

  /// Returns the key of a map's entry at an index, or nil past the end.
  func name(at position: Int) -> String? {
    read(nil) { reader in
      position < reader.count ? try reader.name(at: position) : nil
    }
  }

  /// Returns the index of a value in a set, or nil.
  func position(of value: PropertyValue) -> Int? { read(nil) { try $0.place(of: value).found } }

  /// Returns whether a map has a key.
  func contains(name: String) -> Bool { read(false) { try $0.place(ofName: name).isThere } }

  /// Returns the value of a key in a map, or nil.
  func element<Element: CollectionElement>(
    named name: String, as type: Element.Type
  ) -> Element? {
    guard let owner else { return nil }
    return read(nil) { try $0.value(ofName: name) }.map { Element._$element($0, owner, index) }
  }

  /// Stops the program if an index is out of range, which is a programming error. Does nothing if
  /// the elements could not be counted: the error is noted, and a change of them fails.
  ///
  /// - Parameter allowsEnd: Whether the index may be the one after the last.
  func requirePosition(_ position: Int, in count: Int, orEnd allowsEnd: Bool = false) {
    if (0..<count).contains(position) || allowsEnd && position == count { return }
    guard let table = owner?.table else {
      let elements = StoreError.count(count, "element")
      stopProgram("Could not use position \(position): the collection has \(elements).")
    }
    // Data on disk never stops the program.
    guard isReadable else { return }
    owner?.stop(
      StoreError.positionOutOfBounds(
        class: table.name, property: table.resolved.properties[index].name,
        position: position, count: count))
  }

  /// Stops the program if a range of indexes is out of range: see ``requirePosition(_:in:orEnd:)``.
  func requireBounds(_ bounds: Range<Int>, in count: Int) {
    requirePosition(bounds.lowerBound, in: count, orEnd: true)
    requirePosition(bounds.upperBound, in: count, orEnd: true)
  }

  /// Stops the program if a closure has added or removed elements: those at the positions that were
  /// found with it are others now.
  func requireCount(_ count: Int, still expected: Int, after function: String) {
    if count == expected || isManaged && !isReadable { return }
    stopProgram(
      """
      Could not finish '\(function)': its closure changed the list from \(expected) to \(count) \
      elements. Change the list before or after the call.
      """)
  }
}

// MARK: - Writing

extension CollectionStorage {
  /// Changes the collection.
  ///
  /// The caller cannot throw. The error is deferred, and the write that contains the change fails
  /// and is rolled back.
  ///
  /// - Parameters:
  ///   - elements: The elements to add. Objects among them are added to the store first.
  ///   - keepsPlaces: Whether a link to an object that a migration has deleted stays among the
  ///     values, as null. If not, it is left out. The default is `false`.
  ///   - fallback: The result if the change fails.
  ///   - body: A closure that receives the values of the elements.
  func edit<Element: CollectionElement, Result>(
    adding elements: some Sequence<Element>, keepsPlaces: Bool = false, else fallback: Result,
    _ body: ([PropertyValue], inout CollectionEditor) throws -> Result
  ) -> Result {
    change(else: fallback) { session, table, id in
      let values = try stored(elements, in: table, session, keepsPlaces: keepsPlaces)
      return try table.editCollection(index, of: id) { try body(values, &$0) }
    }
  }

  /// How many elements are appended at once: their values, and what their links change, are kept in
  /// memory.
  private static let elementsAtOnce = 8_192

  /// Appends elements. A long sequence is appended in parts.
  func append<Element: CollectionElement>(_ elements: some Sequence<Element>) {
    change(else: ()) { session, table, id in
      /// Appends what `next` returns until it returns nil, in parts whose values `convert` makes.
      func append<Item>(
        _ next: () -> Item?, _ convert: ([Item]) throws -> [PropertyValue]
      ) throws {
        var part: [Item] = []
        repeat {
          part.removeAll(keepingCapacity: true)
          while part.count < Self.elementsAtOnce, let item = next() { part.append(item) }
          let values = try convert(part)
          try table.editCollection(index, of: id) { try $0.append(contentsOf: values) }
        } while part.count == Self.elementsAtOnce
      }
      if let objects = elements as? any StoredObjectSequence,
        let cursor = objects.cursor(in: session)
      {
        return try append(cursor.nextID) { $0.map(PropertyValue.link) }
      }
      let mayBeObjects = Element.self is any Model.Type || Element.self is AnyValue.Type
      if elements is [Element] && !mayBeObjects {
        var rest = elements.makeIterator()
        return try append({ rest.next() }) { try stored($0, in: table, session) }
      }
      // Read first: they may be those of this list, or objects that are added all or none.
      var rest = try stored(elements, in: table, session).makeIterator()
      try append({ rest.next() }) { $0 }
    }
  }

  /// Returns the values of elements. Objects among them are added to the store.
  private func stored<Element: CollectionElement>(
    _ elements: some Sequence<Element>, in table: ClassTable, _ session: Session,
    keepsPlaces: Bool = false
  ) throws -> [PropertyValue] {
    var values = try table.linking(from: index) {
      try ObjectAdder(session, .error).add(contentsOf: elements)
    }
    if !keepsPlaces { values.removeAll { Element._$isMissing($0) } }
    return values
  }

  /// Makes a change in the place of the collection. An error is deferred.
  private func change<Result>(
    else fallback: Result, _ body: (Session, ClassTable, ObjectID) throws -> Result
  ) -> Result {
    guard let (session, table, id) = writablePlace() else { return fallback }
    do {
      return try body(session, table, id)
    } catch {
      // The change may be half done, so everything that was read must be read again.
      session.epoch &+= 1
      if let error = error as? StoreError, error.code == .objectDeleted, isInvalidated {
        owner?.stop(error)
      }
      session.note(error)
      return fallback
    }
  }

  func edit<Result>(
    else fallback: Result, _ body: (inout CollectionEditor) throws -> Result
  ) -> Result {
    edit(adding: EmptyCollection<Int>(), else: fallback) { _, editor in try body(&editor) }
  }

  /// Returns the session, the class table and the ID of the owner. Stops the program outside of a
  /// write; in old objects of a migration, the error is deferred.
  private func writablePlace() -> (session: Session, table: ClassTable, id: ObjectID)? {
    guard let place = place() else { return nil }
    guard place.session.isWriting else {
      let refusal = place.session.refusal(toChange: place.table.name, place.id)
      if place.session.showsOldObjects { place.session.note(refusal) } else { owner?.stop(refusal) }
      return nil
    }
    return place
  }
}

/// A sequence of stored objects that stay the same while they are appended to a list.
protocol StoredObjectSequence {
  /// Returns a cursor over the objects, or nil if they are not those of a session, or not all in its
  /// tables.
  func cursor(in session: Session) -> ObjectCursor?
}

extension Results: StoredObjectSequence {
  func cursor(in session: Session) -> ObjectCursor? {
    base.session === session && !session.isOfMigration ? base.makeCursor() : nil
  }
}
