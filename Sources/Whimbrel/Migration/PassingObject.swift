internal import WhimbrelEngine
internal import WhimbrelLMDB

/// The Swift object that a block receives for one object of a class after another.
///
/// A new Swift object is made only if the block has kept the previous one, or if the class has
/// stored properties of its own, whose values belong to one object.
///
/// It is a class so that the generic type is not looked up for each object.
final class PassingObject<Object: Model> {
  // Safe: no other code runs while it is changed.
  @safe @exclusivity(unchecked) private var object: Object?
  /// Whether the Swift object has no stored properties except its row.
  private var isPlaceOnly = false

  /// Shows an old object whose record is already read.
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

  /// Shows a new object.
  func show(_ id: ObjectID, _ session: Session, _ table: ClassTable) -> Object {
    if let object = passed() {
      object._$row.move(to: id)
      return object
    }
    return make(ModelRow(session, table, id))
  }

  /// Returns the previous Swift object if nothing else references it.
  private func passed() -> Object? {
    isPlaceOnly && isKnownUniquelyReferenced(&object) ? object : nil
  }

  private func make(_ row: ModelRow) -> Object {
    let made = Object(_$row: row)
    // Without reflection metadata `children` is empty, and each object gets a new Swift object.
    if object == nil, !(made is any CustomReflectable) {
      isPlaceOnly = Mirror(reflecting: made).children.map(\.label) == ["_$row", "_$values"]
    }
    object = made
    return made
  }
}
