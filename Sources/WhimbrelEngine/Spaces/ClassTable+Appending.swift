internal import WhimbrelLMDB

extension ClassTable {
  /// Adds the object that the encoder holds behind all others. The primary key and the indexes are
  /// neither checked nor updated: ``AppendedObjects`` builds them for all such objects together.
  ///
  /// - Precondition: ``canAppend``, and the ID is larger than all others.
  package func appendEncoded(_ id: ObjectID) throws {
    precondition(canAppend)
    let view = try session.requireWriting("add an object")
    try records.append(encoder.finish(id), id, in: view)
    if !encoder.pending.isEmpty {
      try records.overflowWriter(of: id, in: view).write(encoder.pending)
    }
    session.didWrite()
  }
}
