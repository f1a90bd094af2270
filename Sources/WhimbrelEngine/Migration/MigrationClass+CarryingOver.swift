internal import WhimbrelLMDB

/// How the old records of one layout become new ones.
final class Carriage {
  let transfer: RecordTransfer
  /// The properties whose values have to be worked out.
  let others: [Other]

  /// A property whose value has to be worked out.
  final class Other {
    let index: Int
    let property: PropertyDraft
    /// Where its earlier self stands in the old class.
    let oldIndex: Int?
    /// Whether the old values are whole numbers, and become text.
    let writesNumbers: Bool

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
  }
}

extension MigrationClass {
  /// Takes the values of an old record over into the encoder; what only code can
  /// say is left out.
  func carryOver(_ record: PageBytes, _ id: ObjectID) throws {
    let carriage = try carriage(of: record, id)
    try explaining(id) {
      try encoder.begin(taking: carriage.transfer, record, oldExtents(id))
      for other in carriage.others {
        try carryOver(other, record, carriage.transfer.source, id)
      }
    }
  }

  private func carriage(of record: PageBytes, _ id: ObjectID) throws -> Carriage {
    let source = try layout(of: record, id, in: resolved)
    if let carriage, carriage.transfer.source === source { return carriage }
    let made = try Carriage(draft, old, from: source, &encoder)
    carriage = made
    return made
  }

  private func carryOver(
    _ other: Carriage.Other, _ record: PageBytes, _ source: ResolvedLayout, _ id: ObjectID
  ) throws {
    let (index, property) = (other.index, other.property)
    switch property.origin {
    case .kept, .filled:
      if property.isTracked, try source.value(index, of: record, oldExtents(id)).isNull {
        return
      }
      try encoder.copy(index, from: record, source, oldExtents(id), .copied)
    case .converted(let conversion):
      let value = try oldValue(other, of: record, id)
      if other.writesNumbers, case .int(let number) = value {
        return encoder.set(index, decimal: number)
      }
      try setConverted(property, index, value, conversion, id)
    case .generated:
      guard let generator = migrator.declaration.generators[name]?[property.new.name] else {
        throw missingValue(property, id)
      }
      try encoder.set(index, generator())
    case .code:
      // What was nil or empty may stay so; anything else must be said.
      if property.old != nil, let empty = property.emptyValue,
        try oldValue(other, of: record, id).isEmpty
      {
        try encoder.set(index, empty)
      }
    }
  }

  private func oldValue(
    _ other: Carriage.Other, of record: PageBytes, _ id: ObjectID
  ) throws -> PropertyValue {
    guard let old, let index = other.oldIndex else { return .null }
    let layout = try layout(of: record, id, in: old)
    return try layout.plainValue(index, of: record)
      ?? layout.value(index, of: record, oldExtents(id))
  }
}
