internal import WhimbrelLMDB

/// A plan by which the old records of one layout become new ones.
final class CopyPlan {
  let transfer: RecordTransfer
  /// The properties whose values are not copied but computed.
  let others: [Other]
  /// The view by which old records are copied.
  let view: View

  /// The plan by which a record was last copied.
  struct Latest {
    var plan: CopyPlan? { didSet { view = plan?.view } }
    /// The plan's view, which does not count references.
    private(set) var view: View?
  }

  /// A view of a plan that does not count references. It must not outlive the plan.
  struct View {
    let transfer: RecordTransfer.View
    let outline: RecordOutline
    /// Whether any values are computed.
    let hasOthers: Bool
    /// Whether some of them are computed only if the block does not set them.
    let hasConversions: Bool
    /// Whether others are computed before the block runs.
    let hasUrgent: Bool
    /// The flags of the properties that are computed only if the block does not set them.
    let conversions: UInt64
  }

  /// A property whose value is computed.
  final class Other {
    let index: Int
    let property: PropertyDraft
    /// The position of the old property, or nil.
    let oldIndex: Int?
    /// Whether the old values are whole numbers that become text.
    let writesNumbers: Bool

    /// Whether the value is a conversion, which is not needed if the block sets the property.
    var isConversion: Bool {
      if case .converted = property.origin { index < 64 } else { false }
    }

    init(_ index: Int, _ property: PropertyDraft, _ old: ResolvedClass?) {
      self.index = index
      self.property = property
      oldIndex = old?.properties.firstIndex { $0.id == property.old?.id }
      writesNumbers =
        if case .converted(.convertedByRewrite(let old, .string)) = property.origin {
          old.isInteger && property.new.cases == nil
        } else {
          false
        }
    }
  }

  init(
    _ draft: ClassDraft, _ old: ResolvedClass?, from source: ResolvedLayout,
    _ encoder: inout RecordEncoder
  ) throws {
    var copied: [Int] = []
    var others: [Other] = []
    for (index, property) in draft.properties.enumerated() {
      switch property.origin {
      case .kept where !property.isTracked, .filled where !property.isTracked:
        copied.append(index)
      case .code where property.old == nil: break
      default: others.append(Other(index, property, old))
      }
    }
    transfer = try RecordTransfer(from: source, copied, &encoder)
    self.others = others
    view = View(
      transfer: transfer.view, outline: RecordOutline(source), hasOthers: !others.isEmpty,
      hasConversions: others.contains(where: \.isConversion),
      hasUrgent: !others.allSatisfy(\.isConversion),
      conversions: others.filter(\.isConversion).reduce(0) { flags, other in
        flags | encoder.place(other.index).flag
      })
  }
}

extension ClassRewrite {
  /// Copies the values of an old record to the encoder, except those that only code can give.
  ///
  /// - Parameter waits: Whether conversions wait for ``convertPending()``.
  func copy(_ record: PageBytes, _ id: ObjectID, waits: Bool = false) throws {
    let plan = try plan(of: record, id)
    let waits = waits && plan.hasConversions
    try explaining(id) {
      try encoder.begin(taking: plan.transfer, record) { encoder, index in
        guard let source = copying.plan?.transfer.source else { return }
        try encoder.copy(index, from: record, source, old?.overflow(of: id) ?? .none, .copied)
      }
      if waits ? plan.hasUrgent : plan.hasOthers {
        try copyOthers(record, id) { !waits || !$0.isConversion }
      }
    }
    turn.unconverted = waits ? (record, writer.batch) : nil
  }

  /// Converts the values that the block has not set, before the current object is read or written.
  func convertPending() throws {
    guard let (waiting, batch) = turn.unconverted, let id = pending, let plan = copying.view else {
      return
    }
    turn.unconverted = nil
    if encoder.hasSet(allOf: plan.conversions) { return }
    var record = waiting
    if batch != writer.batch {
      guard let again = try old?.record(id) else { throw damaged(id, "it no longer exists") }
      record = again
    }
    try explaining(id) {
      try copyOthers(record, id) { $0.isConversion && !encoder.hasSet($0.index) }
    }
  }

  /// Returns the plan for records with the layout of a record.
  private func plan(of record: PageBytes, _ id: ObjectID) throws -> CopyPlan.View {
    if let plan = copying.view, plan.outline.fits(record) { return plan }
    let made = try CopyPlan(
      draft, old?.resolved, from: layout(of: record, id, in: resolved), &encoder)
    copying.plan = made
    return made.view
  }

  /// Computes values of the current object.
  private func copyOthers(
    _ record: PageBytes, _ id: ObjectID, where isWanted: (CopyPlan.Other) -> Bool
  ) throws {
    guard let plan = copying.plan else { return }
    for other in plan.others where isWanted(other) {
      try copy(other, record, plan.transfer.source, id)
    }
  }

  private func copy(
    _ other: CopyPlan.Other, _ record: PageBytes, _ source: ResolvedLayout, _ id: ObjectID
  ) throws {
    let (index, property) = (other.index, other.property)
    switch property.origin {
    case .kept, .filled:
      if property.isTracked,
        try source.value(index, of: record, old?.overflow(of: id) ?? .none).isNull
      {
        return
      }
      try encoder.copy(index, from: record, source, old?.overflow(of: id) ?? .none, .copied)
    case .converted(let conversion):
      let value = try oldValue(other, of: record, id)
      if other.writesNumbers, case .int(let number) = value {
        return encoder.set(index, decimal: number)
      }
      try setConverted(property, index, value, conversion, id)
    case .generated:
      guard let generator = migrator.task.generator(of: property.new.name, in: name) else {
        throw missingValue(property, id)
      }
      try encoder.set(index, generator())
    case .code:
      // A value that was nil or empty may stay so. Only code can give any other.
      if property.old != nil, let empty = property.new.emptyValue,
        try oldValue(other, of: record, id).isEmpty
      {
        try encoder.set(index, empty)
      }
    }
  }

  private func oldValue(
    _ other: CopyPlan.Other, of record: PageBytes, _ id: ObjectID
  ) throws -> PropertyValue {
    guard let old, let index = other.oldIndex else { return .null }
    return try old.value(index, of: record, id)
  }
}
