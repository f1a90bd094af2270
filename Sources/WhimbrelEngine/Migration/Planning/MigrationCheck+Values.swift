internal import WhimbrelLMDB

extension MigrationCheck {
  /// Finds values that their property can no longer have.
  ///
  /// - Parameter forecast: The forecast of which objects are deleted: their values do not matter.
  func checkValues(of entry: CheckedClass, _ forecast: OwnershipForecast?) throws {
    let checks = entry.draft.properties.compactMap { ValueCheck($0, in: entry.old) }
    guard !checks.isEmpty else { return }
    try forEachObject(of: entry) { id, record in
      if forecast?.deletes(id, of: entry) == true { return }
      for check in checks {
        let value = try record.value(check.position)
        if let rule = check.rule(against: value, classID) {
          try report(rule, id, of: entry, check.name, value, record)
        }
      }
    }
  }

  /// Finds values of a new primary key that several objects have.
  func checkKeys(of entry: CheckedClass) throws {
    guard let index = entry.draft.primaryKeyIndex else { return }
    let property = entry.draft.properties[index]
    // A conversion does not make values equal.
    guard property.old?.isPrimaryKey != true, property.origin != .code,
      property.origin != .generated
    else { return }
    let source = NewValue(property, in: entry.old)
    var sorter = ExternalSorter(memory: 8 << 20)
    try forEachObject(of: entry) { id, record in
      // Nil and values that cannot be converted have their own findings.
      guard let value = try source.value(of: record, classID), !value.isNull else { return }
      var key: [UInt8] = []
      KeyEncoding.append(value, isOptional: false, to: &key)
      KeyEncoding.append(id, to: &key)
      try sorter.add(key, spillingBeside: spillPath)
    }
    try forEachRepeated(&sorter) { id, _ in
      let value = try record(id, of: entry).flatMap { try source.value(of: $0, classID) }
      try report(.unique, id, of: entry, property.new.name, value)
    }
  }

  /// Calls `body` with each object whose key encodes the same values as that of another, and with
  /// whether it is the first object with these values.
  func forEachRepeated(
    _ sorter: inout ExternalSorter, _ body: (ObjectID, _ isFirst: Bool) throws -> Void
  ) throws {
    var previous: [UInt8] = []
    var isGroup = false
    try sorter.drain(spillingBeside: spillPath) { key in
      let key = key.array
      let isSame = !previous.isEmpty && previous.dropLast(8) == key.dropLast(8)
      if isSame, !isGroup { try body(previous.split().id, true) }
      if isSame { try body(key.split().id, false) }
      (previous, isGroup) = (key, isSame)
    }
  }
}

typealias ClassIDs = (_ name: String) -> ClassID?

/// The origin of one property's new values, without code.
struct NewValue {
  let property: PropertyDraft
  let position: Int?
  let conversion: Conversion

  init(_ property: PropertyDraft, in old: ResolvedClass) {
    self.property = property
    position = old.properties.firstIndex { $0.id == property.old?.id }
    conversion = property.conversion
  }

  /// Returns the value, or nil if it cannot be converted.
  func value(of record: CheckedRecord, _ classID: ClassIDs) throws -> PropertyValue? {
    guard let position else { return property.new.fill }
    let value = conversion.apply(try record.value(position), classID)
    return value?.isNull == true && !property.new.isOptional ? property.new.nilFill : value
  }
}

/// The conditions that the values of one property must meet.
private struct ValueCheck {
  let name: String
  let position: Int
  let conversion: Conversion
  let refusesNil: Bool
  /// The cases of the enum, or nil if every value has a case.
  let cases: Set<String>?

  /// Returns nil if no value can be wrong, or if only code sets the values.
  init?(_ property: PropertyDraft, in old: ResolvedClass) {
    guard let earlier = property.old, property.origin != .code,
      let position = old.properties.firstIndex(where: { $0.id == earlier.id })
    else { return nil }
    let new = property.new
    name = new.name
    self.position = position
    conversion = property.conversion
    refusesNil = new.nilFill.isNull && new.emptyValue == nil
    let hasNewCases = new.cases != nil && (earlier.cases != new.cases || earlier.type != new.type)
    cases = hasNewCases ? new.cases.map { Set($0) } : nil
    if case .convertedByRewrite = conversion { return }
    if cases == nil, !refusesNil || !earlier.isOptional { return nil }
  }

  func rule(against value: PropertyValue, _ classID: ClassIDs) -> MigrationFinding.Rule? {
    guard let new = conversion.apply(value, classID) else { return .convertible }
    if new.isNull { return refusesNil ? .required : nil }
    return hasCase(new) ? nil : .knownCase
  }

  private func hasCase(_ value: PropertyValue) -> Bool {
    guard let cases else { return true }
    return switch value {
    case .string(let text): cases.contains(text)
    case .int(let number): cases.contains(String(number))
    case .list(let values): values.allSatisfy(hasCase)
    case .map(let values): values.values.allSatisfy(hasCase)
    default: true
    }
  }
}

extension PropertyDraft {
  /// The conversion of the old values.
  var conversion: Conversion {
    if case .converted(let conversion) = origin, conversion != .identity { return conversion }
    guard let old else { return .identity }
    return Conversion.lossless(from: old.type, to: new.type) ?? .identity
  }
}
