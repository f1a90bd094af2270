internal import WhimbrelLMDB

extension MigrationCheck {
  /// Finds objects of an embedded class that have no owner, or several: links that lead
  /// to them are counted, of the properties that stay.
  func checkOwners(of entry: CheckedClass) throws {
    guard entry.draft.declared?.isEmbedded == true, mayLoseOwners(entry) else { return }
    var sorter = ExternalSorter(memory: 8 << 20)
    for source in classes {
      let positions = source.keptLinks(to: entry.old.name)
      guard !positions.isEmpty else { continue }
      try forEachObject(of: source) { _, record in
        for position in positions {
          for case .object(let target) in try record.value(position).linkTargets {
            var key: [UInt8] = []
            KeyEncoding.append(target, to: &key)
            try sorter.add(key, spillingBeside: spillPath)
          }
        }
      }
    }
    // Both are in the order of the object IDs: of targets, and of objects.
    let cursor = try view.cursor(entry.table)
    var isInside = try cursor.move(to: .first)
    func reportOrphans(before limit: UInt64?) throws {
      while isInside, limit.map({ cursor.integerKey < $0 }) ?? true {
        try report(.owned, ObjectID(rawValue: cursor.integerKey), of: entry, nil, nil)
        isInside = try cursor.move(to: .next)
      }
    }
    var last: (target: UInt64, isReported: Bool)?
    try sorter.drain(spillingBeside: spillPath) { key in
      let target = key.loadBigEndian(at: 0)
      if let known = last, known.target == target {
        if !known.isReported {
          try report(.ownedOnce, ObjectID(rawValue: target), of: entry, nil, nil)
        }
        last = (target, true)
        return
      }
      last = (target, false)
      try reportOrphans(before: target)
      if isInside, cursor.integerKey == target { isInside = try cursor.move(to: .next) }
    }
    try reportOrphans(before: nil)
  }

  /// Whether the class becomes embedded, or links that led to it are gone.
  private func mayLoseOwners(_ entry: CheckedClass) -> Bool {
    if !entry.old.isEmbedded { return true }
    return classes.contains { source in
      let all = source.old.links.filter {
        source.old.properties[$0].type.linkedClass == entry.old.name
      }
      return all.count > source.keptLinks(to: entry.old.name).count
    }
  }
}

extension CheckedClass {
  /// The positions of the old properties that link to a class and that stay.
  fileprivate func keptLinks(to target: String) -> [Int] {
    old.links.filter { position in
      let property = old.properties[position]
      return property.type.linkedClass == target
        && draft.properties.contains { $0.old?.id == property.id && $0.origin != .code }
    }
  }
}
