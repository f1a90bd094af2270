internal import WhimbrelEngine
public import WhimbrelInspection

extension StoreAnonymization {
  private static let verb = "anonymize the store into"

  /// Writes the anonymised store.
  ///
  /// A class is rewritten record by record if any of its values are replaced or it has lost a
  /// property. No byte of the old values therefore gets into the new file.
  ///
  /// - Returns: The treatment of each property.
  /// - Throws: ``InspectionError`` with `fileExists`, `cancelled`, `valuesBecameEqual`, or
  ///   `notConverted` while an online migration is under way, and `StoreError` for a damaged
  ///   object. After an error there is no new store.
  /// - Complexity: O(*n* log *n*), in memory for one object at a time, plus the texts of properties
  ///   whose order is kept.
  public func write(
    to output: StoreOutput, monitor: WorkMonitor = .silent
  ) throws -> AnonymizationSummary {
    var name = inspector.path
    if case .newFile(let path) = output { name = path }
    let cancellation = InspectionError.cancelled(name, Self.verb)
    // Objects in a past shape have values that the schema does not name.
    try inspector.requireNoTransition("anonymize the store")
    return try output.make(from: inspector, Self.verb) { path in
      try inspector.explaining { try write(path, monitor, cancellation) }
    }
  }

  private func write(
    _ path: String, _ monitor: WorkMonitor, _ cancellation: InspectionError
  ) throws -> AnonymizationSummary {
    let copy = try StoreCopy(of: inspector.session, to: path)
    let replacement = ValueReplacement(key, monitor)
    var objects = 0
    var properties: [AnonymizationSummary.Property] = []
    for table in inspector.tables {
      var work = ClassAnonymization(table, try treatments(of: table, monitor, cancellation))
      let total = try table.count()
      var count = 0
      try table.forEachRecord { id, record in
        try copy.add(id, of: table, changing: work.changes(of: record, id, replacement))
        count += 1
        if count & 1_023 == 0 || count == total {
          try monitor.update(
            "Anonymizing \(table.name)", count, of: total, orThrow: cancellation)
        }
      }
      objects += count
      properties += work.summary
    }
    let isNamed: Bool
    do {
      isNamed = try copy.finish { className, completed, total in
        try monitor.update("Indexing \(className)", completed, of: total, orThrow: cancellation)
      }
    } catch let error as StoreError where Self.isDuplicate(error) {
      throw InspectionError.valuesBecameEqual(inspector.path, error.message)
    }
    if !isNamed { throw InspectionError.fileExists(path, Self.verb) }
    return AnonymizationSummary(objects: objects, properties: properties)
  }

  private static func isDuplicate(_ error: StoreError) -> Bool {
    error.code == .duplicatePrimaryKey || error.code == .duplicateValues
  }
}

// MARK: - What is done to each property

extension StoreAnonymization {
  private func treatments(
    of table: ClassTable, _ monitor: WorkMonitor, _ cancellation: InspectionError
  ) throws -> [PropertyTreatment] {
    try table.resolved.properties.enumerated().compactMap { position, property in
      if property.type.linkedClass != nil, !property.type.isIdentifying { return nil }
      let name = PropertyName(className: table.name, position: position)
      let kind: PropertyTreatment.Kind
      switch choices[name] {
      case .keep: kind = .kept
      case .jitter(let jitter): kind = .jittered(jitter)
      case .keepOrder:
        let texts = try texts(position, of: table, monitor, cancellation)
        kind = .replacedInOrder(OrderedTexts(texts, key.key(for: .order)))
      case nil: kind = property.type.isIdentifying ? .replaced : .left
      }
      return PropertyTreatment(position, property, kind)
    }
  }

  private func texts(
    _ position: Int, of table: ClassTable, _ monitor: WorkMonitor, _ cancellation: InspectionError
  ) throws -> Set<String> {
    var texts: Set<String> = []
    var count = 0
    let total = try table.count()
    try table.forEachRecord { id, record in
      if case .string(let text) = try table.value(position, of: record, id) { texts.insert(text) }
      count += 1
      if count & 1_023 == 0 {
        try monitor.update("Sorting \(table.name)", count, of: total, orThrow: cancellation)
      }
    }
    return texts
  }
}
