internal import Foundation
public import WhimbrelEngine
package import WhimbrelLMDB

/// The place of an object in its store; `@Model` gives one to each object.
///
/// It keeps the address of the object's record for as long as that is valid: a
/// read compares one number and loads by offset.
@safe
public struct ModelRow {
  /// Nil when the object is in no store.
  package var session: Session?
  package var id = ObjectID(rawValue: 0)
  // Safe: the session keeps the tables, and the table its layouts, which are both
  // used only while the generation is the session's.
  package unowned(unsafe) var table: ClassTable?
  package unowned(unsafe) var layout: ResolvedLayout?
  package var record: PageBytes?
  package var generation: UInt64 = 0

  /// Makes the place of an object that is in no store.
  public init() {}

  package init(_ session: Session, _ table: ClassTable, _ id: ObjectID) {
    self.session = session
    unsafe self.table = table
    self.id = id
  }

  /// Whether the object is in a store.
  public var isManaged: Bool { session != nil }

  /// Whether the object is gone.
  var isInvalidated: Bool {
    guard let session else { return false }
    guard !session.isClosed, let name = unsafe table?.name else { return true }
    return (try? session.find(name)?.record(id)) == nil
  }

  func isSameStore(as other: ModelRow) -> Bool {
    unsafe session?.file.environment === other.session?.file.environment
      && table?.name == other.table?.name
  }
}

// MARK: - Finding the record

extension ModelRow {
  /// Makes sure that the record is there and valid.
  @inline(__always)
  mutating func validate() {
    if generation != session?.generation { fetch() }
  }

  /// Looks the record up again.
  @inline(never)
  private mutating func fetch() {
    guard let session, let known = unsafe table else {
      preconditionFailure("An object that is in no store has no record.")
    }
    if session.isClosed { stop(StoreError.storeClosed(path: session.file.path)) }
    guard let table = session.find(known.name) else {
      stop(StoreError.unknownClass(class: known.name, known: session.classes.map(\.name)))
    }
    unsafe self.table = table
    generation = session.generation
    do {
      guard let found = try table.record(id) else {
        stop(StoreError.objectDeleted(class: table.name, objectID: id))
      }
      unsafe layout = try table.layout(of: found, id)
      record = found
    } catch {
      // Data on disk never stops the program: the object reads as empty, and the
      // next call that can throw says why.
      session.note(error)
      unsafe layout = table.resolved.written
      record = table.emptyRecord
    }
  }

  /// Stops the program, with what a programming error means and how to mend it.
  func stop(_ error: StoreError) -> Never {
    preconditionFailure(error.description)
  }
}

// MARK: - Reading

extension ModelRow {
  /// The bits of a slot, or nil when the value is nil or has to be worked out.
  public mutating func _$bits(_ index: Int, _ size: Int) -> UInt64? {
    validate()
    guard let record, let layout = unsafe layout else { return nil }
    let slot = layout.slots[index]
    switch slot.access {
    case .direct: break
    case .present: guard record.hasBit(Int(slot.presence)) else { return nil }
    case .detour: return nil
    }
    let offset = Int(slot.offset)
    switch size {
    case 8: return UInt64(littleEndian: record.load(UInt64.self, at: offset))
    case 4: return UInt64(UInt32(littleEndian: record.load(UInt32.self, at: offset)))
    case 2: return UInt64(UInt16(littleEndian: record.load(UInt16.self, at: offset)))
    default: return UInt64(record.load(UInt8.self, at: offset))
    }
  }

  /// The value of a property, whatever its type.
  public mutating func _$value(_ index: Int) -> PropertyValue {
    validate()
    guard let record, let layout = unsafe layout, let table = unsafe table else { return .null }
    return layout.value(index, of: record, as: table.resolved.properties[index].type)
  }

  /// Whether a property is not nil.
  public mutating func _$hasValue(_ index: Int) -> Bool {
    validate()
    guard let record, let layout = unsafe layout else { return false }
    let slot = layout.slots[index]
    switch slot.access {
    case .direct: return true
    case .present: return record.hasBit(Int(slot.presence))
    case .detour: return !layout.detour(index, of: record).isNull
    }
  }

  /// The bytes that a slot points to, or nil when the value is nil or has to be
  /// worked out.
  private mutating func bytes(_ index: Int) -> PageBytes? {
    validate()
    guard let record, let layout = unsafe layout else { return nil }
    let slot = layout.slots[index]
    switch slot.access {
    case .direct: break
    case .present: guard record.hasBit(Int(slot.presence)) else { return nil }
    case .detour: return nil
    }
    if let bytes = record.variable(at: Int(slot.offset)) { return bytes }
    noteDamage("text or data lies outside of it")
    return nil
  }

  mutating func _$text(_ index: Int) -> String? {
    if let bytes = bytes(index) { return bytes.text }
    return String(propertyValue: _$value(index))
  }

  mutating func _$data(_ index: Int) -> Data? {
    if let bytes = bytes(index) { return bytes.data }
    return Data(propertyValue: _$value(index))
  }

  /// The place that a link leads to, or nil.
  public mutating func _$linked(_ index: Int) -> ModelRow? {
    guard case .link(let target) = _$value(index), let session, let table = unsafe table,
      let name = table.resolved.properties[index].type.linkTarget, let other = session.find(name)
    else { return nil }
    var row = ModelRow(session, other, target)
    do {
      guard let record = try other.record(target) else { return nil }
      row.record = record
      unsafe row.layout = try other.layout(of: record, target)
      row.generation = session.generation
    } catch {
      session.note(error)
      return nil
    }
    return row
  }

  /// Says that a stored raw value is that of no case.
  public mutating func _$noteUnknownCase(_ index: Int) {
    guard let table = unsafe table else { return }
    let property = table.resolved.properties[index]
    session?.note(
      StoreError.unknownCase(
        class: table.name, property: property.name, known: property.cases ?? []))
  }

  private func noteDamage(_ detail: String) {
    guard let session, let table = unsafe table else { return }
    session.note(table.damagedRecord(id, detail))
  }
}

// MARK: - Writing

extension ModelRow {
  /// Changes the record.
  ///
  /// What goes wrong here cannot be thrown; the write that this belongs to fails
  /// with it, and is rolled back as a whole.
  mutating func change(
    _ index: Int, _ body: (inout RecordEncoder) throws -> Void
  ) {
    validate()
    guard let session, let table = unsafe table else { return }
    guard session.isWriting else {
      stop(StoreError.notInWrite(verb: "change '\(table.name)'"))
    }
    if table.resolved.properties[index].isPrimaryKey {
      stop(
        StoreError.primaryKeyIsFixed(
          class: table.name, property: table.resolved.properties[index].name))
    }
    do {
      try table.update(id, body)
    } catch {
      session.note(error)
    }
  }

  mutating func _$change(_ index: Int, _ value: PropertyValue) {
    change(index) { encoder in try encoder.set(index, value) }
  }

  /// Stores the bits of a slot.
  public mutating func _$set(_ index: Int, bits: UInt64) {
    change(index) { encoder in encoder.set(index, bits: bits) }
  }

  /// Makes a property nil.
  public mutating func _$setNull(_ index: Int) {
    change(index) { encoder in encoder.setNull(index) }
  }

  /// Makes a link lead to an object, which is added to the store if need be.
  public mutating func _$setLink(_ index: Int, _ object: (any Model)?) {
    guard let object else { return _$setNull(index) }
    guard let session else { return }
    do {
      let target = try ObjectAdder(session, .error).add(object)
      change(index) { encoder in try encoder.set(index, .link(target)) }
    } catch {
      if let error = error as? StoreError, error.code == .notInWrite { stop(error) }
      session.note(error)
    }
  }
}
