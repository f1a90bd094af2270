internal import WhimbrelLMDB

/// A cursor and a key buffer that look-ups in the indexes of a class reuse.
final class IndexLookup {
  let key = KeyBuffer()
  private var cursor: Cursor?
  private var index = Table.none
  private var viewNumber = 0

  /// Returns a cursor over an index. Outside of writes, it is the cursor of the last look-up if
  /// that was in the same index and snapshot.
  func cursor(_ index: Table, of session: Session) throws -> Cursor {
    let view = session.view
    if session.isWriting { return try view.cursor(index) }
    if let cursor, viewNumber == session.viewNumber, self.index == index { return cursor }
    let new = try view.cursor(index)
    (cursor, viewNumber, self.index) = (new, session.viewNumber, index)
    return new
  }
}
