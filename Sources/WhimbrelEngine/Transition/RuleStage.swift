internal import WhimbrelLMDB

/// One step of a conversion: from a past shape to the next one, with or without a rule. A rule that
/// leads to the class as the app declares it makes one step to the class's shape.
///
/// It converts one object at a time, in the encoder of ``new``.
final class RuleStage {
  let shape: PastShape
  /// Whether the step leads to the class's shape.
  let isLast: Bool
  /// The table of the new object. Its properties are in the order in which the rule declares them.
  let new: RuleObjectTable
  private let hand = ObjectAtHand()
  private let body: (any RuleBody)?
  private let sessions: [Session]
  /// The advancers of the epochs. They invalidate what the code has read of the previous object.
  private let clocks: (new: Counter.Advancer, old: Counter.Advancer)
  /// The properties of the new shape, with which records of the past shape are read.
  private let readProperties: [CatalogProperty]
  private let layouts: [RecordLayout]
  // Safe: one object is converted at a time.
  @safe @exclusivity(unchecked) private var readers = Readers()
  /// The properties that only a rule can determine, and the IDs of the old properties.
  private let decided: [(position: Int, old: PropertyID?)]
  /// The properties whose values could not be converted.
  // Safe: as above.
  @safe @exclusivity(unchecked) private var lost: [Int] = []
  private let host = Host()

  /// A reader that turns records of one layout into new ones.
  private final class Reader {
    let layout: ResolvedLayout
    let outline: RecordOutline
    let transfer: RecordTransfer
    /// The layout as the past shape reads it.
    let past: ResolvedLayout
    let derived: [Derived]

    init(
      _ layout: ResolvedLayout, past: ResolvedLayout, _ derived: [Derived],
      _ transfer: RecordTransfer
    ) {
      self.layout = layout
      self.past = past
      self.derived = derived
      self.transfer = transfer
      outline = RecordOutline(layout)
    }
  }

  /// A property that is converted from the value that the past shape shows. The records store
  /// another value, or none: an earlier release has added the old property, made it required or
  /// widened it.
  private struct Derived {
    let position: Int
    /// The position of the old property in the past shape.
    let old: Int
    let conversion: Conversion
  }

  private struct Readers {
    /// The reader that was used last. The next object usually has the same layout.
    var latest: Reader?
    var all: [LayoutID: Reader] = [:]
  }

  /// - Parameters:
  ///   - shape: The past shape.
  ///   - next: The class in the next shape, or nil for the class's shape.
  ///   - rule: The rule, or nil if the shape needs none.
  init(
    _ shape: PastShape, of entry: CatalogClass, to next: CatalogClass?, by rule: ObjectRule?,
    in file: StoreFile, _ loaded: LoadedCatalog
  ) throws {
    self.shape = shape
    isLast = next == nil
    let next = next ?? entry
    layouts = entry.layouts.filter { shape.layouts.contains($0.id) }
    let target = ResolvedClass(try rule.map { try next.arranged(as: $0.new) } ?? next)
    let fixed = entry.coveredByEntries.union(next.holdingLinks)
    let kept = fixed.intersection(shape.properties.map(\.id))
    readProperties = target.properties.map { property in
      var property = property
      property.source = shape.sources.first { $0.property == property.id }?.old
      if shape.decided.contains(where: { $0.property == property.id }) {
        property.fill = property.substitute
        property.source = nil
      }
      return property
    }
    decided = shape.decided.compactMap { source in
      target.properties.firstIndex { $0.id == source.property }.map { ($0, source.old) }
    }
    let newSession = Session(
      MigrationSide(host: host, isNew: true), of: file, loaded, .closed)
    new = RuleObjectTable(target, .new, hand, in: newSession, fixed: kept)
    newSession.adopt(new)
    guard let rule else {
      (body, sessions) = (nil, [newSession])
      clocks = (newSession.epochAdvancer, newSession.epochAdvancer)
      return
    }
    let oldSession = Session(
      MigrationSide(host: host, isNew: false), of: file, loaded, .closed)
    let source = ResolvedClass(try entry.past(shape).arranged(as: rule.old))
    let oldTable = RuleObjectTable(source, .old, hand, in: oldSession)
    oldSession.adopt(oldTable)
    for other in loaded.classes where other.id != entry.id {
      oldSession.adopt(RuleObjectTable(other, .none, hand, in: oldSession))
      newSession.adopt(RuleObjectTable(other, .none, hand, in: newSession))
    }
    sessions = [newSession, oldSession]
    clocks = (newSession.epochAdvancer, oldSession.epochAdvancer)
    body = rule.makeBody(
      RuleSides(old: oldSession, oldTable: oldTable, new: newSession, newTable: new, hand: hand))
  }

  deinit { for session in sessions { session.end() } }

  /// A recipient of the errors that the code of a rule causes.
  ///
  /// It is a separate object, so that the sessions do not retain the stage. A weak reference to the
  /// stage would slow down its reference counting.
  private final class Host: SideHost {
    // Safe: one object is converted at a time.
    @safe @exclusivity(unchecked) var problem: (any Error)?

    func note(_ error: any Error) { if problem == nil { problem = error } }

    func writeView() throws -> WriteView { throw StoreError.ruleSeesOneObject(class: nil) }
  }
}

// MARK: - Converting

extension RuleStage {
  /// Converts an object. The result is in the encoder of ``new``.
  ///
  /// - Parameters:
  ///   - overflow: The overflow of the object.
  ///   - pending: The part of the overflow that is not stored, or nil.
  /// - Returns: The positions of the properties that the rule had to set and did not set.
  /// - Throws: ``DamagedRecord``, or an error that the code of the rule caused.
  func convert(
    _ record: PageBytes, _ id: ObjectID, _ overflow: Overflow, _ pending: PendingOverflow?
  ) throws -> [Int] {
    let reader = try reader(of: record)
    if !lost.isEmpty { lost.removeAll(keepingCapacity: true) }
    try new.encoder.begin(taking: reader.transfer.view, record) { encoder, index in
      try copy(index, &encoder, record, reader.layout, overflow, pending)
    }
    for property in reader.derived {
      let value = try reader.past.value(property.old, of: record, overflow)
      try setConverted(property.position, &new.encoder, property.conversion.apply(value))
    }
    hand.show(id, record, overflow)
    if let body {
      clocks.new.advance()
      clocks.old.advance()
      if host.problem != nil { host.problem = nil }
      defer { endTurn() }
      try body.run(id)
      if let problem = host.problem { throw problem }
    }
    return try unset(record, reader, overflow)
  }

  /// Ends the use of the objects that the code has received: it may have kept them, and their bytes
  /// may be freed next.
  private func endTurn() {
    hand.putAway()
    clocks.new.advance()
    clocks.old.advance()
  }

  private func copy(
    _ index: Int, _ encoder: inout RecordEncoder, _ record: PageBytes, _ layout: ResolvedLayout,
    _ overflow: Overflow, _ pending: PendingOverflow?
  ) throws {
    guard layout.slotView[index].access == .conversion else {
      // Stored overflow stays where it is, unless the property has a new ID.
      let isStored =
        layout.fields[index].map {
          $0.property == readProperties[index].id && pending?[$0.property] == nil
        }
        ?? true
      return try encoder.copy(
        index, from: record, layout, overflow, isStored ? .staying : .copied)
    }
    switch layout.readConversions[index] {
    case .filled(let value): try encoder.setStored(index, value)
    case .converted(let field, let conversion, _):
      let isNil = field.presence.map { !record.hasBit($0) } ?? false
      let value = isNil ? .null : conversion.apply(try record.value(field, overflow))
      try setConverted(index, &encoder, value)
    case nil: try setConverted(index, &encoder, .none)
    }
  }

  /// Stores a converted value. If the new type cannot represent it, the property is left to the
  /// rule.
  ///
  /// - Parameter converted: The value, or nil if it cannot be converted. An empty collection
  ///   becomes null as a single value.
  private func setConverted(
    _ index: Int, _ encoder: inout RecordEncoder, _ converted: PropertyValue?
  ) throws {
    let property = readProperties[index]
    let replacesNil = converted?.isNull == true && !property.isOptional
    let value = replacesNil ? property.nilFill : converted
    if let value, !value.isNull || property.isOptional || property.type == .any {
      // The value may not be a case of the enum any more.
      do { return try encoder.set(index, value) } catch is StoreError {}
    }
    lost.append(index)
    try encoder.setStored(index, property.substitute)
  }

  private func unset(
    _ record: PageBytes, _ reader: Reader, _ overflow: Overflow
  ) throws -> [Int] {
    if decided.isEmpty, lost.isEmpty { return [] }
    var unset = lost.filter { !new.isAssigned($0) }
    for (position, oldID) in decided where !new.isAssigned(position) {
      // A value that was nil or empty may stay so.
      if let oldID, let empty = new.resolved.properties[position].emptyValue,
        let old = shape.properties.firstIndex(where: { $0.id == oldID }),
        try reader.past.value(old, of: record, overflow).isEmpty
      {
        try new.encoder.setStored(position, empty)
        continue
      }
      unset.append(position)
    }
    return unset
  }

  private func reader(of record: PageBytes) throws -> Reader {
    if let latest = readers.latest, latest.outline.fits(record) { return latest }
    guard record.count >= 8, let layout = layouts.first(where: { $0.id == record.layoutID }),
      record.count >= layout.fixedSize
    else { throw DamagedRecord(detail: ResolvedClass.unknownLayout) }
    if let known = readers.all[layout.id] {
      readers.latest = known
      return known
    }
    let resolved = ResolvedLayout(layout, for: readProperties)
    let past = ResolvedLayout(layout, for: shape.properties)
    let derived = derivedProperties(past)
    let copied = Set(readProperties.indices).subtracting(derived.map(\.position))
    let made = Reader(
      resolved, past: past, derived,
      try RecordTransfer(from: resolved, copied.sorted(), &new.encoder))
    readers.all[layout.id] = made
    readers.latest = made
    return made
  }

  private func derivedProperties(_ past: ResolvedLayout) -> [Derived] {
    readProperties.indices.compactMap { position in
      let property = readProperties[position]
      guard let old = shape.properties.firstIndex(where: { $0.id == property.source }),
        past.slots[old].access == .conversion,
        let conversion = Conversion.lossless(from: shape.properties[old].type, to: property.type)
      else { return nil }
      return Derived(position: position, old: old, conversion: conversion)
    }
  }
}

extension CatalogProperty {
  /// The substitute for a value that neither the old object nor a rule determines. A transition is
  /// refused if a property needs a substitute and has none.
  var substitute: PropertyValue {
    if case .value(let value) = defaultValue { return value }
    return emptyValue ?? .null
  }

  /// Whether there is a ``substitute``.
  var hasSubstitute: Bool { isOptional || type == .any || !substitute.isNull }
}

extension CatalogClass {
  /// The properties that the primary key or an index covers in which unconverted objects have
  /// entries. They do not have entries in an index that is being built.
  fileprivate var coveredByEntries: Set<PropertyID> {
    let building = (transition?.buildingProperties ?? [], transition?.buildingIndexes ?? [])
    let single = properties.filter { property in
      property.isPrimaryKey || property.hasIndex && !building.0.contains(property.id)
    }
    let others = indexes.filter { !building.1.contains($0.id) }
    return Set(single.map(\.id)).union(others.flatMap(\.properties))
  }

  fileprivate var holdingLinks: Set<PropertyID> {
    Set(properties.filter(\.type.holdsLinks).map(\.id))
  }

  /// Returns the position of the shape that a rule leads to, or the number of shapes if it leads to
  /// the class's shape.
  ///
  /// A rule that another one follows leads to the next shape. If that does not have the properties
  /// that the rule declares, it is from before a release that the rule knows. The rule then leads to
  /// the first later shape that has them.
  ///
  /// - Parameters:
  ///   - rule: The rule, or nil if the shape needs none.
  ///   - number: The position of the shape that the rule reads.
  ///   - shapes: The past shapes of the class.
  func destination(of rule: ObjectRule?, from number: Int, in shapes: [PastShape]) -> Int {
    let next = number + 1
    guard let rule else { return next }
    if rule.isLast { return shapes.count }
    let fitting = (next..<shapes.count).first { position in
      (try? past(shapes[position]).arranged(as: rule.new)) != nil
    }
    return fitting ?? next
  }

  /// Returns the class with the properties of a declaration first, in the order of the declaration.
  ///
  /// - Throws: ``StoreError`` with `shapeMismatch` that lists all properties that differ.
  func arranged(as shape: ClassSchema) throws -> CatalogClass {
    var entry = try seen(as: shape)
    let known = Set(entry.properties.map(\.id))
    entry.properties += properties.filter { !known.contains($0.id) }
    return entry
  }
}
