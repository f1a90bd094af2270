internal import WhimbrelLMDB

extension MigrationCheck {
  /// Finds values of unique indexes that several objects would have.
  ///
  /// - Parameter forecast: The forecast of which objects are deleted, and which are copied.
  func checkUniqueIndexes(of entry: CheckedClass, _ forecast: OwnershipForecast?) throws {
    for index in entry.draft.entry(isRewritten: false).indexes where index.kind == .unique {
      // A unique index that stays has unique values. A conversion does not make values equal, but nil may
      // become a value that exists.
      let properties = index.properties.compactMap { id in
        entry.draft.properties.first { $0.new.id == id }
      }
      let stays = entry.old.entry.indexes.contains {
        $0.kind == .unique && $0.properties == properties.map(\.old?.id)
      }
      let mayLoseNil = properties.contains { $0.old?.isOptional == true && !$0.new.isOptional }
      let mayBeCopied = forecast?.copiesAny(of: entry) == true
      if !stays || mayLoseNil || mayBeCopied { try checkUniqueIndex(index, of: entry, forecast) }
    }
  }

  private func checkUniqueIndex(
    _ index: CatalogIndex, of entry: CheckedClass, _ forecast: OwnershipForecast?
  ) throws {
    let properties = index.properties.compactMap { id in
      entry.draft.properties.first { $0.new.id == id }
    }
    // Values that only code sets are not known.
    if properties.contains(where: { $0.origin == .code || $0.origin == .generated }) { return }
    let resolved = ResolvedIndex(index, entry.draft.properties.map(\.new))
    let sources = properties.map { NewValue($0, in: entry.old) }
    func values(_ record: CheckedRecord) throws -> [PropertyValue] {
      try sources.map { try $0.value(of: record, classID) ?? .null }
    }
    var sorter = ExternalSorter(memory: 8 << 20)
    try forEachObject(of: entry) { id, record in
      if forecast?.deletes(id, of: entry) == true { return }
      let values = try values(record)
      if values.contains(where: \.isNull) { return }
      var key = resolved.prefix(values)
      KeyEncoding.append(id, to: &key)
      try sorter.add(key, spillingBeside: spillPath)
      // The copies of an object have the same values.
      if forecast?.copies(id, of: entry) == true { try sorter.add(key, spillingBeside: spillPath) }
    }
    let names = properties.map(\.new.name).joined(separator: ", ")
    var last: ObjectID?
    func reportOne(_ id: ObjectID) throws {
      // An object that will be copied comes twice.
      if last == id { return }
      last = id
      let found = try record(id, of: entry).map(values) ?? []
      let text = found.map(\.summary).joined(separator: ", ")
      try report(.uniqueIndex, id, of: entry, names, .string(text))
    }
    /// Reports which of several objects with one key have the same texts.
    func reportSame(_ ids: [ObjectID]) throws {
      var groups: [[PropertyValue]: [ObjectID]] = [:]
      for id in ids {
        let found = try record(id, of: entry).map(values) ?? []
        groups[found.filter(\.isText), default: []].append(id)
      }
      let same = Set(groups.values.filter { $0.count > 1 }.joined())
      for id in ids where same.contains(id) { try reportOne(id) }
    }
    // The objects with one key, if the key does not contain all of their texts.
    var unsure: [ObjectID] = []
    var isUnsure = false
    try forEachRepeated(&sorter) { id, isFirst in
      if isFirst {
        try reportSame(unsure)
        unsure = []
        isUnsure = try resolved.isTruncated(record(id, of: entry).map(values) ?? [])
      }
      if isUnsure { unsure.append(id) } else { try reportOne(id) }
    }
    try reportSame(unsure)
  }
}

extension PropertyValue {
  fileprivate var isText: Bool {
    if case .string = self { true } else { false }
  }
}
