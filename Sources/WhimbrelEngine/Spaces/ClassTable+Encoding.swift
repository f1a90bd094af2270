package import Foundation
internal import WhimbrelLMDB

// The values of a new object, on their way into the encoder. Another module calls these functions
// once for each value. To reach the encoder itself it would call an accessor twice more.
extension ClassTable {
  /// Begins a new object, without values.
  package final func beginEncoding() { encoder.begin() }

  package final func encode(_ index: Int, bits: UInt64) { encoder.set(index, bits: bits) }

  package final func encode(_ index: Int, _ text: String) throws { try encoder.set(index, text) }

  package final func encode(_ index: Int, _ data: Data) throws { try encoder.set(index, data) }

  package final func encode(_ index: Int, _ uuid: UUID) { encoder.set(index, uuid) }

  package final func encode(_ index: Int, _ value: PropertyValue) throws {
    try encoder.set(index, value)
  }

  package final func encodeNull(_ index: Int) { encoder.setNull(index) }
}

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
