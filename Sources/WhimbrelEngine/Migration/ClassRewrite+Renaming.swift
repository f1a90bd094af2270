internal import WhimbrelLMDB

/// Renames by the block, which change the origin of new objects.
extension ClassRewrite {
  /// Takes on another draft of the class, none of whose objects has been touched yet.
  func adopt(_ other: ClassDraft) throws {
    var other = other
    for (old, new) in trace.renames {
      _ = try other.rename(from: old, to: new, isRewritten: false)
    }
    draft = other
    reshape()
  }

  private func reshape() {
    resolved = ResolvedClass(draft.entry(isRewritten: true, keepsOldLayouts: true))
    encoder = RecordEncoder(resolved)
    otherEncoder = RecordEncoder(resolved)
    generation.ids.areKeys = draft.canBeClustered
  }

  /// Gives a new property the values of an old one.
  func rename(from oldName: String, to newName: String) throws {
    let position = try draft.rename(
      from: oldName, to: newName, isRewritten: isRewritten)
    if !isRewritten {
      trace.renames.append((oldName, newName))
      reshape()
      return
    }
    guard let position else { return }
    try flush()
    var last: ObjectID?
    var count = 0
    while let (id, record) = try old?.next(after: last) {
      last = id
      count += 1
      if try newRecord(id) != nil {
        let property = draft.properties[position]
        let value = try oldValue(property, of: record, id)
        switch convert(value, property.conversion, property.new) {
        case .value(let new):
          // An object without an owner may get one again. It must have the value then.
          let isHidden = try isReleased(id)
          if isHidden { try regain(id) }
          try update(id, at: position) { encoder in try encoder.set(position, new) }
          if isHidden { try release(id) }
          // The old links may lead to objects that the block has deleted.
          repairs.done[id] = nil
        case .missing: break
        case .lost: throw conversionFailed(property, id, value)
        }
      }
      try writer.checkpoint(.rewriting, name, count, of: oldCount)
    }
  }
}
