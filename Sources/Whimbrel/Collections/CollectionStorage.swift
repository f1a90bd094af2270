internal import WhimbrelEngine
internal import WhimbrelLMDB

/// What a list, a set or a map of a store is: a property of an object.
///
/// An unmanaged collection has one too, without an owner: its values are elsewhere.
/// It gets an owner when its object is added to a store.
final class CollectionStorage {
  /// The object that the collection belongs to, or nil while it is in no store.
  private(set) var owner: ModelRow?
  /// Which property of the owner this is.
  private(set) var index = 0
  /// What reads the elements, while the epoch of the session stays.
  private var reader: CollectionReader?
  private var table: ClassTable?
  private(set) var epoch: UInt64 = 0
  /// Called when the collection becomes one of a store.
  var onManaged: (() -> Void)?

  /// Makes the storage of an unmanaged collection.
  init() {}

  /// Makes the storage of a collection of an object in a store.
  init(_ owner: ModelRow, _ index: Int) {
    self.owner = owner
    self.index = index
  }

  var isManaged: Bool { owner != nil }

  func becomeManaged(_ owner: ModelRow, _ index: Int) {
    // A collection that was given to two objects belongs to the first.
    guard self.owner == nil else { return }
    self.owner = owner
    self.index = index
    onManaged?()
    onManaged = nil
  }

  /// Whether both are the same property of the same object, as the same store shows
  /// it.
  func isSame(as other: CollectionStorage) -> Bool {
    if self === other { return true }
    guard let owner, let row = other.owner, index == other.index else { return false }
    return owner.id == row.id && owner.session === row.session
      && owner.table?.name == row.table?.name
  }

  /// Whether the object is gone, or its store closed.
  var isInvalidated: Bool { owner?.isInvalidated ?? false }
}

// MARK: - Reading

extension CollectionStorage {
  /// The class and the object, checked for being there.
  private func place() -> (session: Session, table: ClassTable, id: ObjectID)? {
    guard let owner, let session = owner.session, let known = owner.table else { return nil }
    if session.isClosed { owner.stop(session.closedError) }
    guard let table = session.find(known.name) else {
      owner.stop(
        StoreError.unknownClass(class: known.name, known: session.classes.map(\.name)))
    }
    return (session, table, owner.id)
  }

  /// Whether what was read before is what the store shows.
  var isCurrent: Bool { reader != nil && epoch == owner?.session?.epoch }

  /// Reads from the collection. What cannot be read counts as nothing, and the next
  /// call that can throw says why.
  func read<Result>(
    _ fallback: Result, _ body: (CollectionReader) throws -> Result
  ) -> Result {
    if isCurrent, let reader, let table, let owner {
      return reporting(fallback) { try table.explaining(owner.id) { try body(reader) } }
    }
    guard let (session, table, id) = place() else { return fallback }
    return reporting(fallback) {
      let reader = try table.collectionReader(index, of: id)
      self.reader = reader
      self.table = table
      epoch = session.epoch
      return try table.explaining(id) { try body(reader) }
    }
  }

  private func reporting<Result>(_ fallback: Result, _ body: () throws -> Result) -> Result {
    do {
      return try body()
    } catch let error as StoreError where error.code == .objectDeleted {
      owner?.stop(error)
      return fallback
    } catch {
      owner?.session?.note(error)
      return fallback
    }
  }

  /// How many elements there are.
  var count: Int {
    if isCurrent, let reader { return reader.count }
    return read(0) { $0.count }
  }

  /// The element at a position, or nil when there is none.
  func element<Element: CollectionElement>(at position: Int, as type: Element.Type) -> Element? {
    guard let owner else { return nil }
    if Element._$hasBits {
      let bits: UInt64? = read(nil) { reader in
        position < reader.count ? try reader.leaf(containing: position).bits?[position] : nil
      }
      if let bits { return Element._$element(bits: bits, owner, index) }
    }
    return read(nil) { reader -> PropertyValue? in
      // Not `nil`, which is a value here.
      guard position < reader.count else { return .none }
      return try reader.value(at: position)
    }.map { Element._$element($0, owner, index) }
  }

  /// What an element reads as that is there and cannot be read.
  func placeholder<Element: CollectionElement>() -> Element {
    Element._$element(.null, owner ?? ModelRow(), index)
  }

  /// The name of an element of a map, or nil when there is none.
  func name(at position: Int) -> String? {
    read(nil) { reader in
      position < reader.count ? try reader.name(at: position) : nil
    }
  }

  /// Where a value is in a set, or nil.
  func position(of value: PropertyValue) -> Int? { read(nil) { try $0.position(of: value) } }

  /// Where a name is in a map, or nil.
  func position(ofName name: String) -> Int? { read(nil) { try $0.position(ofName: name) } }

  /// Stops when a position is outside of the collection: an error of the program.
  func requirePosition(_ position: Int, in range: Range<Int>) {
    if range.contains(position) { return }
    guard let table = owner?.table else {
      stopProgram(
        "Could not use position \(position): the collection has \(range.upperBound) elements.")
    }
    owner?.stop(
      StoreError.positionOutOfBounds(
        class: table.name, property: table.resolved.properties[index].name,
        position: position, count: count))
  }
}

// MARK: - Writing

extension CollectionStorage {
  /// Changes the collection.
  ///
  /// What goes wrong here cannot be thrown; the write that this belongs to fails with
  /// it, and is rolled back as a whole.
  ///
  /// - Parameters:
  ///   - elements: what comes into the collection; objects among them are added to the
  ///     store before.
  ///   - keepsPlaces: whether links to what a migration has deleted are among the values,
  ///     as nil; else they are left out.
  ///   - body: is given the values of the elements.
  func edit<Element: CollectionElement, Result>(
    adding elements: some Sequence<Element>, keepsPlaces: Bool = false, else fallback: Result,
    _ body: ([PropertyValue], inout CollectionEditor) throws -> Result
  ) -> Result {
    guard let (session, table, id) = writablePlace() else { return fallback }
    do {
      var values = try ObjectAdder(session, .error).add(contentsOf: elements)
      if !keepsPlaces { values.removeAll { Element._$isMissing($0) } }
      return try table.editCollection(index, of: id) { try body(values, &$0) }
    } catch {
      // What was read before may have been changed halfway.
      session.epoch &+= 1
      if let error = error as? StoreError, error.code == .objectDeleted, isInvalidated {
        owner?.stop(error)
      }
      session.note(error)
      return fallback
    }
  }

  /// Changes the collection without adding to it.
  func edit<Result>(
    else fallback: Result, _ body: (inout CollectionEditor) throws -> Result
  ) -> Result {
    edit(adding: EmptyCollection<Int>(), else: fallback) { _, editor in try body(&editor) }
  }

  /// The class and the object, in a write.
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
