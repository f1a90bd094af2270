internal import WhimbrelEngine

/// The rows that links lead to.
extension ModelRow {
  /// Returns the row of the object that a link of a property leads to, or nil.
  func target(_ id: ObjectID, by index: Int) -> ModelRow? {
    unsafe unsafeTarget(by: index)?._withUnsafeGuaranteedRef { target(id, in: $0) }
  }

  /// Returns the row of the object that a link leads to, or nil.
  func target(_ id: ObjectID, in table: ClassTable) -> ModelRow? {
    guard let session else { return nil }
    do {
      return try session.row(of: id, in: table)
    } catch {
      session.note(error)
      return nil
    }
  }

  /// Returns the row of the object that an element of a property's collection leads to: see
  /// ``elementTarget(_:in:)``.
  func elementTarget(_ id: ObjectID?, by index: Int) -> ModelRow {
    unsafe unsafeTarget(by: index)?._withUnsafeGuaranteedRef { elementTarget(id, in: $0) }
      ?? ModelRow()
  }

  /// Returns the row of the object that an element leads to. If it cannot be read, the error is noted,
  /// and the object reads as empty.
  ///
  /// - Parameter id: The object, or nil if not even the element can be read.
  func elementTarget(_ id: ObjectID?, in table: ClassTable) -> ModelRow {
    guard let session else { return ModelRow() }
    guard let id else { return ModelRow(unreadable: ObjectID(rawValue: 0), in: table, session) }
    do {
      if let row = try session.row(of: id, in: table) { return row }
      // What a block has deleted is left to the block.
      if session.showsNewObjects { return ModelRow() }
      throw table.missing(id)
    } catch {
      session.note(error)
      return ModelRow(unreadable: id, in: table, session)
    }
  }

  /// Returns the table of the class that a property's links lead to, or nil.
  private func unsafeTarget(by index: Int) -> Unmanaged<ClassTable>? {
    unsafe unsafeTable?._withUnsafeGuaranteedRef { unsafe $0.unsafeTarget(of: index) }
  }
}
