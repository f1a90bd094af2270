internal import WhimbrelEngine

/// The indexes of objects that were appended without.
extension ClassLoader {
  /// An object that has what has to be unique and another before it has.
  struct Repetition {
    /// The number of its line.
    let line: Int
    /// Where in it the values stand, in characters from 1.
    let column: Int
    let reason: String
  }

  /// Builds the indexes of the objects so far; objects that follow are added one by one, so
  /// that they may come in any order.
  ///
  /// It is called outside of a write.
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

  /// The first object that has what has to be unique and another before it has, if they are
  /// not known from the indexes.
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
