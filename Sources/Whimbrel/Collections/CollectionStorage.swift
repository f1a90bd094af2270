internal import WhimbrelEngine
internal import WhimbrelLMDB

/// What a list, a set or a map of a store is: a property of an object.
///
/// An unmanaged collection has one too, without an owner: its values are elsewhere.
/// It gets an owner when its object is added to a store.
public final class CollectionStorage {
  /// The object that the collection belongs to, or nil while it is in no store.
  private(set) var owner: ModelRow?
  /// Which property of the owner this is.
  private(set) var index = 0
  /// What reads the elements, while the generation of the session stays.
  private var reader: CollectionReader?
  private var generation: UInt64 = 0
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
    self.owner = owner
    self.index = index
    onManaged?()
    onManaged = nil
  }

  /// Whether both are the same property of the same object.
  func isSame(as other: CollectionStorage) -> Bool {
    if self === other { return true }
    guard let owner, let row = other.owner, index == other.index else { return false }
    return owner.id == row.id && owner.isSameStore(as: row)
  }

  /// Whether the object is gone, or its store closed.
  var isInvalidated: Bool { owner?.isInvalidated ?? false }
}

// MARK: - Reading

extension CollectionStorage {
  /// The class and the object, checked for being there.
  private func place() -> (session: Session, table: ClassTable, id: ObjectID)? {
    guard let owner, let session = owner.session, let known = owner.table else { return nil }
    if session.isClosed { owner.stop(StoreError.storeClosed(path: session.file.path)) }
    guard let table = session.find(known.name) else {
      owner.stop(
        StoreError.unknownClass(class: known.name, known: session.classes.map(\.name)))
    }
    return (session, table, owner.id)
  }

  /// Reads from the collection. What cannot be read counts as nothing, and the next
  /// call that can throw says why.
  private func read<Result>(
    _ fallback: Result, _ body: (CollectionReader) throws -> Result
  ) -> Result {
    guard let (session, table, id) = place() else { return fallback }
    do {
      return try table.explaining(id) {
        if let reader, generation == session.generation { return try body(reader) }
        let reader = try table.collectionReader(index, of: id)
        self.reader = reader
        generation = session.generation
        return try body(reader)
      }
    } catch let error as StoreError where error.code == .objectDeleted {
      owner?.stop(error)
      return fallback
    } catch {
      session.note(error)
      return fallback
    }
  }

  /// How many elements there are.
  var count: Int { read(0) { $0.count } }

  /// The element at a position, which is in bounds.
  func value(at position: Int) -> PropertyValue {
    read(.null) { reader in
      guard position < reader.count else { return .null }
      return try reader.value(at: position)
    }
  }

  /// The name of an element of a map.
  func name(at position: Int) -> String {
    read("") { reader in
      guard position < reader.count else { return "" }
      return try reader.name(at: position)
    }
  }

  /// Where a value is in a set, or nil.
  func position(of value: PropertyValue) -> Int? { read(nil) { try $0.position(of: value) } }

  /// Where a name is in a map, or nil.
  func position(ofName name: String) -> Int? { read(nil) { try $0.position(ofName: name) } }

  /// All elements.
  func values() -> [PropertyValue] { read([]) { try $0.values() } }
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
  ///   - body: is given the values of the elements.
  func edit<Element: CollectionElement, Result>(
    adding elements: some Sequence<Element>, else fallback: Result,
    _ body: ([PropertyValue], inout CollectionEditor) throws -> Result
  ) -> Result {
    guard let (session, table, id) = place() else { return fallback }
    guard session.isWriting else {
      owner?.stop(StoreError.notInWrite(verb: "change '\(table.name)'"))
      return fallback
    }
    do {
      let values = try ObjectAdder(session, .error).add(contentsOf: elements)
      return try table.editCollection(index, of: id) { try body(values, &$0) }
    } catch let error as StoreError where error.code == .objectDeleted && isInvalidated {
      owner?.stop(error)
      return fallback
    } catch {
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
}
