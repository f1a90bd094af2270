internal import WhimbrelEngine
internal import WhimbrelLMDB

/// The Swift object that a block is given for one object of a class after the other.
///
/// It is made anew only where somebody keeps the one before, or where the class has stored
/// properties of its own, which belong to one object.
///
/// It is a class, for the generic type is then not looked up for each object.
final class PassingObject<Object: Model> {
  // Safe: nothing else is done while it is changed.
  @safe @exclusivity(unchecked) private var object: Object?
  /// Whether the object has no state but its place.
  private var isPlaceOnly = false

  /// An old object, whose record is at hand.
  ///
  /// - Throws: ``StoreError`` with `damaged`.
  func show(_ id: ObjectID, _ record: PageBytes, _ reader: inout RecordReader) throws -> Object {
    reader.follow()
    try reader.use(record, id)
    if let object = passed() {
      object._$row.move(to: id, record, reader)
      return object
    }
    return make(ModelRow(reader, id, record))
  }

  /// A new object.
  func show(_ id: ObjectID, _ session: Session, _ table: ClassTable) -> Object {
    if let object = passed() {
      object._$row.move(to: id)
      return object
    }
    return make(ModelRow(session, table, id))
  }

  /// The object before, if nobody else has it.
  private func passed() -> Object? {
    isPlaceOnly && isKnownUniquelyReferenced(&object) ? object : nil
  }

  private func make(_ row: ModelRow) -> Object {
    let made = Object(_$row: row)
    // Where reflection is turned off nothing is seen, and each object gets its own.
    if object == nil, !(made is any CustomReflectable) {
      isPlaceOnly = Mirror(reflecting: made).children.map(\.label) == ["_$row", "_$values"]
    }
    object = made
    return made
  }
}
