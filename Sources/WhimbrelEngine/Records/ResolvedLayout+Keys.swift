internal import WhimbrelLMDB

extension ResolvedLayout {
  /// Appends the key of a property's value in a record.
  func appendKey(
    _ index: Int, of record: PageBytes, _ overflow: Overflow, isOptional: Bool,
    to key: inout some KeyBytes
  ) throws {
    switch plainLink(index, of: record) {
    case .none: return key.append(0)
    case .object(let id): return KeyEncoding.append(id, to: &key)
    case .unknown: break
    }
    if appendPlain(index, of: record, isOptional, KeyEncoding.textLimit, to: &key) { return }
    KeyEncoding.append(try value(index, of: record, overflow), isOptional: isOptional, to: &key)
  }

  /// Appends the key of a property's value as one part of a key with several values.
  func appendKey(
    part index: Int, of record: PageBytes, _ overflow: Overflow, textLimit: Int,
    to key: inout some KeyBytes
  ) throws {
    if appendPlain(index, of: record, true, textLimit, to: &key) { return }
    KeyEncoding.append(
      part: try value(index, of: record, overflow), textLimit: textLimit, to: &key)
  }

  /// Appends the key of a value that can be copied directly from the record.
  ///
  /// - Returns: False if the value cannot be copied directly. Nothing is appended then.
  private func appendPlain(
    _ index: Int, of record: PageBytes, _ isOptional: Bool, _ textLimit: Int,
    to key: inout some KeyBytes
  ) -> Bool {
    let slot = slotView[index]
    switch slot.access {
    case .conversion: return false
    case .present where !record.hasBit(Int(slot.presence)):
      key.append(0)
      return true
    case .direct, .present: break
    }
    switch places[index].plain {
    case .none, .bool, .data: return false
    case .int:
      if isOptional { key.append(1) }
      KeyEncoding.append(record.int(at: slot.place), to: &key)
    case .double:
      if isOptional { key.append(1) }
      KeyEncoding.append(record.double(at: slot.offset), to: &key)
    case .text:
      // Invalid UTF-8 reads as different text, so only ASCII is copied directly.
      guard let text = record.variable(at: slot.place), text.isASCII else { return false }
      if isOptional { key.append(1) }
      KeyEncoding.append(utf8: text, limit: textLimit, to: &key)
    }
    return true
  }
}
