internal import WhimbrelLMDB

/// Converts objects of one class that still have a past shape, one at a time.
final class ObjectConverter {
  /// An object in the shape of its class, and not yet signed. It is valid until the converter is
  /// used again.
  struct Converted {
    let record: PageBytes
    /// The part of the object that lies outside of the record and is not stored.
    let pending: PendingOverflow
    /// The names of the properties that a rule should have set and has not.
    let unset: [String]
  }

  private let path: String
  private let name: String
  private let keyedBy: ResolvedClass
  private let stages: [RuleStage]
  /// The stage that an object begins with, by the number of its layout.
  private let firstStages: [UInt16: Int]

  /// - Throws: ``StoreError`` with `transitionNeedsRule` or `shapeMismatch`.
  init(
    _ entry: CatalogClass, in file: StoreFile, _ loaded: LoadedCatalog, by rules: RuleBook
  ) throws {
    path = file.path
    name = entry.name
    keyedBy = loaded[entry.name] ?? ResolvedClass(entry)
    let shapes = entry.transition?.shapes ?? []
    var (stages, firstStages): ([RuleStage], [UInt16: Int]) = ([], [:])
    for (number, shape) in shapes.enumerated() {
      for layout in shape.layouts { firstStages[layout.rawValue] = number }
      let rule = try rules.required(for: shape, of: entry, path: file.path)
      let isLast = number + 1 == shapes.count
      let next = isLast ? entry : entry.past(shapes[number + 1])
      stages.append(try RuleStage(shape, of: entry, to: next, by: rule, in: file, loaded))
    }
    (self.stages, self.firstStages) = (stages, firstStages)
  }

  /// Converts an object.
  ///
  /// - Parameter stored: What of the object is stored outside of its record.
  /// - Throws: ``StoreError`` with `damaged`, or with `ruleFailed` if a rule has left its bounds.
  func convert(_ record: PageBytes, _ id: ObjectID, _ stored: Overflow) throws -> Converted {
    guard let first = firstStages[record.layoutID.rawValue] else {
      throw damaged(id, ResolvedClass.unknownLayout)
    }
    var (record, overflow): (PageBytes, Overflow) = (record, stored)
    var pending: PendingOverflow?
    var unset: [String] = []
    for stage in stages[first...] {
      do {
        let positions = try stage.convert(record, id, overflow, pending)
        unset += positions.map { stage.new.resolved.properties[$0].name }
      } catch let error as DamagedRecord {
        throw damaged(id, error.detail)
      } catch let error as DamagedCollection {
        throw damaged(id, "\(error)")
      } catch {
        throw StoreError.ruleFailed(
          underlying: error, class: name, objectID: id, primaryKey: key(record, id, stored),
          version: stage.shape.version)
      }
      record = stage.new.encoder.bytes
      pending = stage.new.encoder.pending
      overflow = stage.new.encoder.overflow(over: stored)
    }
    return Converted(
      record: record, pending: pending ?? PendingOverflow(), unset: unset)
  }

  /// Signs the object that was converted last, so that it can be written.
  func finish(_ id: ObjectID) throws -> PageBytes? {
    try stages.last?.new.encoder.finish(id)
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
      path: path,
      detail: "\(Sentence.object(id, keyedBy.key(of: id))) of class '\(name)' cannot be read: "
        + detail)
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

  /// Throws unless there are rules for the objects of all classes, as far as the app declares
  /// these.
  func requireRules(for catalog: Catalog, of schema: StoreSchema?, path: String) throws {
    for entry in catalog.classes {
      guard let transition = entry.transition, schema.map({ $0[entry.name] != nil }) ?? true
      else { continue }
      for shape in transition.shapes { _ = try required(for: shape, of: entry, path: path) }
    }
  }
}
