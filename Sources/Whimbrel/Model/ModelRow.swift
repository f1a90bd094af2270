internal import Foundation
public import WhimbrelEngine
internal import WhimbrelLMDB

/// The location of an object in its store. `@Model` gives one to each object.
///
/// It keeps the address of the object's record for as long as the address is valid. A read compares
/// one number and loads by offset.
@safe
@_documentation(visibility: internal)
public struct ModelRow {
  /// The session of the store; nil for an unmanaged object. A constant: a variable would be nil
  /// first, and each new row would be copied.
  package let session: Session?
  /// The ID of the object within its class. For an unmanaged object it is the number of its
  /// identity, or 0.
  package var id = ObjectID(rawValue: 0)
  // Safe: the session keeps all its tables, also previous ones, and a table keeps its layouts. The
  // record, the slots and the layout are used only during the epoch of the session that they were
  // read in.
  @safe private(set) var unsafeTable: Unmanaged<ClassTable>?
  @safe private var unsafeLayout: Unmanaged<ResolvedLayout>?
  private var slots: StaticArray<ResolvedLayout.Slot>.View?
  private var record: PageBytes?
  /// The epoch that the record was read in. In a store that tracks what is read it is marked, so that
  /// no read takes the record without a look at ``ReadTracker``.
  private var epoch: UInt64
  private var current: Counter.View?
  /// Whether the object was not there though something led to it: it reads as empty, and using it
  /// does not stop the program.
  private var isUnreadable = false
  /// Whether the record is the empty one, because the object's own cannot be read.
  private var isEmptied = false

  /// Makes the row of an unmanaged object.
  public init() {
    session = nil
    epoch = 0
  }

  /// Makes a row whose record is looked up on first use.
  @inline(__always)
  package init(_ session: Session, _ table: ClassTable, _ id: ObjectID) {
    self.session = session
    self.id = id
    unsafe unsafeTable = .passUnretained(table)
    epoch = 0
    current = session.epochView
  }

  /// Makes a row whose record is already read.
  @inline(__always)
  init(_ reader: RecordReader, _ id: ObjectID, _ record: PageBytes) {
    session = reader.session
    self.id = id
    unsafeTable = reader.unsafeTable
    unsafeLayout = reader.layout.unsafeLayout
    slots = reader.layout.slots
    self.record = record
    epoch = reader.rowEpoch
    current = reader.current
  }

  /// Makes a row whose record is already read.
  init(
    _ session: Session, _ table: ClassTable, _ id: ObjectID, _ record: PageBytes,
    _ layout: ResolvedLayout.View
  ) {
    self.session = session
    self.id = id
    unsafe unsafeTable = .passUnretained(table)
    unsafeLayout = layout.unsafeLayout
    slots = layout.slots
    self.record = record
    epoch = session.rowEpoch
    current = session.epochView
  }

  /// Makes the place of an object that is there and cannot be read: its properties read as empty for
  /// as long as the store shows the same. Who makes one notes the error.
  init(unreadable id: ObjectID, in table: ClassTable, _ session: Session) {
    self.init(session, table, id, table.emptyRecord, table.written)
    (isUnreadable, isEmptied) = (true, true)
  }

  /// Moves to another object of the same session, whose record is already read.
  @inline(__always)
  mutating func move(to id: ObjectID, _ record: PageBytes, _ reader: RecordReader) {
    self.id = id
    unsafeTable = reader.unsafeTable
    unsafeLayout = reader.layout.unsafeLayout
    slots = reader.layout.slots
    self.record = record
    isEmptied = false
    epoch = reader.rowEpoch
  }

  /// Moves to another object of the same class, whose record is looked up on first use.
  @inline(__always)
  mutating func move(to id: ObjectID) {
    self.id = id
    epoch = 0
  }

  package var table: ClassTable? { unsafe unsafeTable?.takeUnretainedValue() }
  private var layout: ResolvedLayout? { unsafe unsafeLayout?.takeUnretainedValue() }

  /// The primary key if it is known without reading, for messages.
  var knownKey: PropertyValue? { table?.primaryKey(of: id) }

  /// Whether the object is managed by a store.
  public var isManaged: Bool { session != nil }

  /// Whether the object was deleted or its store was closed.
  var isInvalidated: Bool {
    guard let session else { return false }
    guard !session.isClosed, let known = table else { return true }
    do {
      guard let table = session.current(known) else { return true }
      session.readTracker?.noteExistence(of: id, in: table)
      return try !table.contains(id)
    } catch {
      // The object exists, but cannot be read.
      session.note(error)
      return false
    }
  }

  /// The number of an unmanaged object's identity, or 0.
  var identityNumber: UInt64 { isManaged ? 0 : id.rawValue }

  /// The identity of the object among all objects.
  var identity: ObjectIdentity {
    mutating get {
      if let session, let table { return session.identity(of: id, in: table) }
      if id.rawValue == 0 { id = ObjectID(rawValue: ObjectIdentity.newNumber()) }
      return ObjectIdentity(unmanaged: id.rawValue)
    }
  }

  /// Makes an object managed, and returns the number of the identity that it had until now, or 0.
  mutating func place(_ session: Session, _ table: ClassTable, _ id: ObjectID) -> UInt64 {
    let number = self.session == nil ? self.id.rawValue : 0
    self = ModelRow(session, table, id)
    return number
  }

  /// Makes the row of an object that becomes unmanaged again, with the identity it had.
  init(identityNumber: UInt64) {
    session = nil
    epoch = 0
    id = ObjectID(rawValue: identityNumber)
  }

  func isSameStore(as other: ModelRow) -> Bool {
    isOfSameFile(as: other) && table?.resolved.id == other.table?.resolved.id
  }

  func isOfSameFile(as other: ModelRow) -> Bool {
    guard let session else { return other.session == nil }
    return session.file.isSame(as: other.session?.file)
  }
}

// MARK: - Finding the record

extension ModelRow {
  /// Looks up the record, unless the row still has it, to read a property.
  @inline(__always)
  mutating func validate(toRead index: Int) {
    if let current, epoch == current.value { return }
    validateClaimed(index)
  }

  /// Looks up the record, unless the row still has it, to change a property.
  @inline(__always)
  private mutating func validateToChange() {
    if let current, epoch == current.value { return }
    validateClaimed(nil)
  }

  /// Accepts the current record if this thread has claimed the epoch: a claimed epoch never equals
  /// the view's value.
  @inline(never)
  private mutating func validateClaimed(_ index: Int?) {
    if let current, current.isClaimed(at: epoch) { return }
    if let table = unsafeTable,
      unsafe table._withUnsafeGuaranteedRef({ $0.noteRead(of: id, index, at: epoch) })
    {
      return
    }
    fetch()
    // Looking up the record may have begun another epoch. It is a read all the same.
    if let index, let table = unsafeTable {
      unsafe table._withUnsafeGuaranteedRef { $0.noteRead(of: id, index) }
    }
  }

  @inline(never)
  private mutating func fetch() {
    guard let session, let known = table else {
      preconditionFailure("An object that is not in a store has no record.")
    }
    if session.isClosed { stop(session.closedError) }
    guard let table = session.current(known) else {
      stop(session.missingClass(of: id, in: known))
    }
    unsafe unsafeTable = .passUnretained(table)
    epoch = session.rowEpoch
    isEmptied = false
    do {
      guard let found = try table.recordToChange(id) else {
        if isUnreadable { throw table.missing(id) }
        stop(session.missingObject(id, in: table))
      }
      use(try table.layout(of: found, id))
      record = found
    } catch {
      // Data on disk never stops the program. The object reads as empty, and the next throwing call
      // rethrows the deferred error.
      session.note(error)
      isEmptied = true
      record = table.emptyRecord
      use(table.resolved.written)
    }
  }

  private mutating func use(_ layout: ResolvedLayout) {
    unsafe unsafeLayout = .passUnretained(layout)
    slots = layout.slotView
  }

  /// Stops the program with the message of an error that is a programming error.
  func stop(_ error: StoreError) -> Never {
    stopProgram(error.description)
  }
}

// MARK: - Reading

extension ModelRow {
  /// Returns the bits of a slot, or nil if the value is nil or needs a conversion.
  public mutating func _$bits(_ index: Int, _ size: Int) -> UInt64? {
    validate(toRead: index)
    guard let record, let slots else { return nil }
    let slot = slots[index]
    switch slot.access {
    case .direct: break
    case .present: guard record.hasBit(Int(slot.presence)) else { return nil }
    case .conversion: return nil
    }
    let offset = slot.offset
    switch size {
    case 8 where slot.place.size == 4: return UInt64(bitPattern: record.int(at: slot.place))
    case 8: return UInt64(littleEndian: record.load(UInt64.self, at: offset))
    case 4: return UInt64(UInt32(littleEndian: record.load(UInt32.self, at: offset)))
    case 2: return UInt64(UInt16(littleEndian: record.load(UInt16.self, at: offset)))
    default: return UInt64(record.load(UInt8.self, at: offset))
    }
  }

  /// Returns the value of a property of any type.
  public mutating func _$value(_ index: Int) -> PropertyValue {
    validate(toRead: index)
    guard let record, let layout, let table else { return .null }
    do {
      return try table.explaining(id) {
        try layout.value(index, of: record, table.overflow(of: id))
      }
    } catch {
      session?.note(error)
      return .null
    }
  }

  /// Returns whether a property is not nil.
  public mutating func _$hasValue(_ index: Int) -> Bool {
    validate(toRead: index)
    guard let record, let slots else { return false }
    let slot = slots[index]
    switch slot.access {
    case .direct: return true
    case .present: return record.hasBit(Int(slot.presence))
    case .conversion: return !_$value(index).isNull
    }
  }

  /// Returns the bytes that a slot points to, or nil if the value is nil or needs a conversion.
  private mutating func bytes(_ index: Int) -> PageBytes? {
    validate(toRead: index)
    guard let record, let slots else { return nil }
    let slot = slots[index]
    switch slot.access {
    case .direct: break
    case .present: guard record.hasBit(Int(slot.presence)) else { return nil }
    case .conversion: return nil
    }
    // `variable(at:)` is nil for an overflow value: the caller then reads the whole value.
    return record.variable(at: slot.place)
  }

  mutating func _$text(_ index: Int) -> String? {
    if let bytes = bytes(index) { return bytes.text }
    return String(propertyValue: _$value(index))
  }

  mutating func _$data(_ index: Int) -> Data? {
    if let bytes = bytes(index) { return bytes.data }
    return Data(propertyValue: _$value(index))
  }

  /// Returns the number of elements of a collection in the record itself. Returns nil if only a
  /// reader knows it.
  mutating func inlineCount(_ index: Int) -> Int? {
    inlineCollection(index).flatMap { CollectionNode.count(ofLeaf: $0.bytes, width: $0.width) }
  }

  /// Returns the elements of a collection in the record itself as bits. Returns nil if only a reader
  /// knows them.
  mutating func inlineBits(_ index: Int) -> [UInt64]? {
    inlineCollection(index).flatMap { CollectionNode.bits(ofLeaf: $0.bytes, width: $0.width) }
  }

  @inline(__always)
  private mutating func inlineCollection(_ index: Int) -> (bytes: PageBytes, width: Int)? {
    validate(toRead: index)
    guard !isEmptied, let record, let slots, slots[index].access != .conversion else { return nil }
    return record.variable(at: slots[index].place).map { ($0, Int(slots[index].elementWidth)) }
  }

  /// The epoch of the session in which the row was read last.
  var readEpoch: UInt64 { epoch & ~Session.trackingMark }

  /// Returns the epoch in which a property can be read now, and records that it is read.
  mutating func epoch(toRead index: Int) -> UInt64 {
    validate(toRead: index)
    return readEpoch
  }

  /// Returns a reader of a collection, or nil for an unmanaged object and for one that is not there.
  /// Call ``epoch(toRead:)`` before; the reader is valid in that epoch.
  func collectionReader(_ index: Int) throws -> CollectionReader? {
    guard let record, let table = unsafeTable, !isEmptied || !isUnreadable else { return nil }
    return try unsafe table._withUnsafeGuaranteedRef { table in
      isEmptied
        ? try table.collectionReader(index, of: id)
        : try table.collectionReader(index, of: id, in: record)
    }
  }

  /// Returns the row that a link leads to, or nil.
  public mutating func _$linked(_ index: Int) -> ModelRow? {
    // A link that is stored in its slot is read without making a `PropertyValue`.
    if let bits = _$bits(index, 8) { return target(ObjectID(rawValue: bits), by: index) }
    guard let slots, slots[index].access == .conversion, case .link(let id) = _$value(index)
    else { return nil }
    return target(id, by: index)
  }

  /// Records a deferred error for a stored value that its Swift type cannot represent: an unknown
  /// raw value of an enum, or a value that a `CustomPersistable` does not accept.
  public func _$noteUnknownCase(_ index: Int) {
    guard let table else { return }
    let property = table.resolved.properties[index]
    guard let cases = property.cases else {
      session?.note(
        StoreError.unreadableValue(
          class: table.name, property: property.name, objectID: id, primaryKey: knownKey))
      return
    }
    let record = property.type.isCollection ? nil : try? table.record(id)
    session?.note(
      StoreError.unreadableCase(
        class: table.name, property: property.name, objectID: id, primaryKey: knownKey,
        stored: record.flatMap { try? table.value(index, of: $0, id) }, known: cases))
  }
}

// MARK: - Writing

extension ModelRow {
  /// Changes a property in the record.
  ///
  /// A setter cannot throw. The error is deferred, and the write that contains the change fails and
  /// is rolled back.
  mutating func change(
    _ index: Int, _ body: (inout RecordEncoder) throws -> Void
  ) {
    do {
      // In a migration, `set` finds the object itself, and primary keys may change.
      let isOfMigration = unsafe unsafeTable?._withUnsafeGuaranteedRef { $0.isOfMigration }
      if isOfMigration != true { try prepareToChange(index) }
      let table = unsafeTable
      try unsafe table?._withUnsafeGuaranteedRef { table in
        guard let changed = try table.set(id, at: index, body) else { return }
        // The next use of the object needs no look at the table.
        record = changed
        use(table.resolved.written)
        epoch = epoch & Session.trackingMark | table.clock.value
      }
    } catch {
      if session?.isClosed == true, let error = error as? StoreError { stop(error) }
      session?.note(error)
    }
  }

  /// Checks that the object exists and may be changed.
  ///
  /// - Throws: ``StoreError`` with `oldObjectIsReadOnly`.
  private mutating func prepareToChange(_ index: Int) throws {
    validateToChange()
    let isChangeable = unsafe unsafeTable?._withUnsafeGuaranteedRef { $0.canChange(index) }
    guard isChangeable == false, let session, let table else { return }
    guard session.isWriting else {
      let refusal = session.refusal(toChange: table.name, id)
      if session.showsOldObjects { throw refusal }
      stop(refusal)
    }
    if table.resolved.properties[index].isPrimaryKey {
      stop(
        StoreError.primaryKeyIsFixed(
          class: table.name, property: table.resolved.properties[index].name))
    }
  }

  mutating func _$change(_ index: Int, _ value: PropertyValue) {
    change(index) { encoder in try encoder.set(index, value) }
  }

  mutating func _$set(_ index: Int, _ text: String) {
    change(index) { encoder in try encoder.set(index, text) }
  }

  mutating func _$set(_ index: Int, _ data: Data) {
    change(index) { encoder in try encoder.set(index, data) }
  }

  /// Sets the bits of a slot.
  public mutating func _$set(_ index: Int, bits: UInt64) {
    change(index) { encoder in encoder.set(index, bits: bits) }
  }

  /// Sets a property to nil.
  public mutating func _$setNull(_ index: Int) {
    change(index) { encoder in encoder.setNull(index) }
  }

  /// Sets a link to an object. Adds the object to the store if it is unmanaged.
  public mutating func _$setLink(_ index: Int, _ object: (any Model)?) {
    guard let object else { return _$setNull(index) }
    guard let session, let table else { return }
    do {
      if session.showsOldObjects { throw session.refusal(toChange: table.name, id) }
      let target = try table.linking(from: index) { try ObjectAdder(session, .error).add(object) }
      guard let target else {
        return _$setNull(index)
      }
      change(index) { encoder in try encoder.set(index, .link(target)) }
    } catch {
      if let error = error as? StoreError, error.code == .notInWrite || session.isClosed {
        stop(error)
      }
      session.note(error)
    }
  }
}
