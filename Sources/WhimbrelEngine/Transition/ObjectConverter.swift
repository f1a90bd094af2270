internal import WhimbrelLMDB

/// A converter of objects of one class that still have a past shape. It converts one at a time.
final class ObjectConverter {
  /// An object in the current shape of its class, still without a checksum. It is valid until the
  /// converter is used again.
  struct Converted {
    let record: PageBytes
    /// The overflow of the object that is not stored.
    let pending: PendingOverflow
    /// The names of the properties that a rule had to set and did not set.
    let unset: [String]
  }

  private let path: String
  private let name: String
  private let keyedBy: ResolvedClass
  private let stages: [RuleStage]
  /// The first stage of an object, by the number of its layout.
  private let firstStages: [UInt16: Int]
  /// The next stage of an object, by the number of the stage before.
  private let nextStages: [Int]
  /// The layout of the object that was converted last, and its first stage. Most objects have the
  /// same layout.
  // Safe, here and below: one object is converted at a time.
  @safe @exclusivity(unchecked) private var known: (layout: UInt16, first: Int)?
  /// The last stage of the object that was converted last.
  @safe @exclusivity(unchecked) private var lastStage = 0

  /// - Throws: ``StoreError`` with `transitionNeedsRule` or `shapeMismatch`.
  init(
    _ entry: CatalogClass, in file: StoreFile, _ loaded: LoadedCatalog, by rules: RuleBook
  ) throws {
    path = file.path
    name = entry.name
    keyedBy = loaded[entry.name] ?? ResolvedClass(entry)
    let shapes = entry.transition?.shapes ?? []
    var (stages, firstStages, nextStages): ([RuleStage], [UInt16: Int], [Int]) = ([], [:], [])
    for (number, shape) in shapes.enumerated() {
      for layout in shape.layouts { firstStages[layout.rawValue] = number }
      let rule = try rules.required(for: shape, of: entry, path: file.path)
      // The rule may set properties that the shapes between do not have.
      let destination = entry.destination(of: rule, from: number, in: shapes)
      let next = destination < shapes.count ? entry.past(shapes[destination]) : nil
      let direct = shape.leading(to: next ?? entry, over: shapes[(number + 1)..<destination])
      stages.append(try RuleStage(direct, of: entry, to: next, by: rule, in: file, loaded))
      nextStages.append(destination)
    }
    (self.stages, self.firstStages, self.nextStages) = (stages, firstStages, nextStages)
  }

  /// Converts an object.
  ///
  /// - Parameter stored: The stored overflow of the object.
  /// - Throws: ``StoreError`` with `damaged`, or with `ruleFailed` if the code of a rule caused an
  ///   error.
  func convert(_ record: PageBytes, _ id: ObjectID, _ stored: Overflow) throws -> Converted {
    var number = try firstStage(of: record, id)
    var unset: [String] = []
    try convert(record, id, stored, nil, by: stages[number], &unset)
    // Invariant: the last stage leads to the class's shape.
    while !stages[number].isLast {
      let between = stages[number].new
      number = nextStages[number]
      try convert(
        between.encoder.bytes, id, between.encoder.overflow(over: stored), between.encoder.pending,
        by: stages[number], &unset)
    }
    lastStage = number
    let last = stages[number].new
    return Converted(record: last.encoder.bytes, pending: last.encoder.pending, unset: unset)
  }

  private func firstStage(of record: PageBytes, _ id: ObjectID) throws -> Int {
    let layout = record.layoutID.rawValue
    if let known, known.layout == layout { return known.first }
    guard let first = firstStages[layout] else { throw damaged(id, ResolvedClass.unknownLayout) }
    known = (layout, first)
    return first
  }

  /// Converts an object by one stage. The result is in the encoder of the stage.
  private func convert(
    _ record: PageBytes, _ id: ObjectID, _ overflow: Overflow, _ pending: PendingOverflow?,
    by stage: RuleStage, _ unset: inout [String]
  ) throws {
    do {
      let positions = try stage.convert(record, id, overflow, pending)
      if !positions.isEmpty {
        unset += positions.map { stage.new.resolved.properties[$0].name }
      }
    } catch let error as DamagedRecord {
      throw damaged(id, error.detail)
    } catch {
      throw StoreError.ruleFailed(
        underlying: error, class: name, objectID: id, primaryKey: key(record, id, overflow),
        version: stage.shape.version)
    }
  }

  /// Adds the checksum to the object that was converted last, so that it can be written.
  func finish(_ id: ObjectID) throws -> PageBytes? {
    guard lastStage < stages.count else { return nil }
    return try stages[lastStage].new.encoder.finish(id)
  }

  /// Returns the primary key of an object, for messages. A transition does not change it.
  func key(_ record: PageBytes, _ id: ObjectID, _ stored: Overflow) -> PropertyValue? {
    if let key = keyedBy.key(of: id) { return key }
    guard let position = keyedBy.primaryKeyIndex, let layout = keyedBy.layout(of: record) else {
      return nil
    }
    return try? layout.value(position, of: record, stored)
  }

  private func damaged(_ id: ObjectID, _ detail: String) -> StoreError {
    StoreError.damaged(
      path: path, detail: Sentence.unreadable(id, keyedBy.key(of: id), of: name, detail))
  }
}

extension RuleBook {
  /// Returns the rule that converts objects of a past shape, or nil if they need none.
  ///
  /// - Throws: ``StoreError`` with `transitionNeedsRule`.
  func required(
    for shape: PastShape, of entry: CatalogClass, path: String
  ) throws -> ObjectRule? {
    guard shape.hasRule else { return nil }
    if let rule = rule(from: shape.version, of: shape.name) { return rule }
    throw StoreError.transitionNeedsRule(
      path: path, class: entry.name, name: shape.name, version: shape.version)
  }

  /// Throws if a rule is missing for objects of a class that the app declares. Without a schema,
  /// all classes are checked.
  func requireRules(for catalog: Catalog, of schema: StoreSchema?, path: String) throws {
    for entry in catalog.classes {
      guard let transition = entry.transition, schema.map({ $0[entry.name] != nil }) ?? true
      else { continue }
      for shape in transition.shapes { _ = try required(for: shape, of: entry, path: path) }
    }
  }
}
