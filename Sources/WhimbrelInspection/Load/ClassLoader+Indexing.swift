internal import WhimbrelEngine

/// The indexing of objects that were appended without index entries.
extension ClassLoader {
  /// An object whose unique value an earlier object has too.
  struct Repetition {
    let line: Int
    /// The column of its values, in characters from 1.
    let column: Int
    let reason: String
  }

  /// Builds the indexes of the objects added so far. Later objects are inserted one by one, so they
  /// may come in any order. Returns the first repetition of a unique value, or nil.
  ///
  /// Call it outside of a write.
  ///
  /// - Complexity: O(*n* log *n*), in constant memory.
  func buildIndexes(
    _ report: @escaping (_ completed: Int, _ total: Int) throws -> Void
  ) throws -> Repetition? {
    guard isAppending else { return nil }
    let repetition = try AppendedObjects(of: table, for: .building, report).run()
    stopAppending()
    return repetition.flatMap(located)
  }

  /// Returns the first repetition of a unique value, if the objects are not in the indexes yet.
  func firstRepetition() throws -> Repetition? {
    guard isAppending else { return nil }
    return try AppendedObjects(of: table, for: .checking).run().flatMap(located)
  }

  private func located(_ repetition: AppendedObjects.Repetition) -> Repetition? {
    guard let firstLine, let place = try? position(of: repetition.id) else { return nil }
    let head = String(decoding: ClassDump.head(of: table), as: UTF8.self)
    var id = JSONWriter()
    id.append(exact: repetition.id.rawValue)
    let before = "\(head)\(String(decoding: id.bytes, as: UTF8.self)),\"values\":"
    return Repetition(
      line: firstLine + place, column: before.count + 1, reason: reason(of: repetition.error))
  }
}
