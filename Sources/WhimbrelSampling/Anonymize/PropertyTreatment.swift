internal import WhimbrelEngine
internal import WhimbrelInspection

/// What is done to the values of one property, and how many there were.
struct PropertyTreatment {
  let position: Int
  let kind: Kind
  /// Values that stay: the cases of an enum, and what the app gives objects by default.
  let constants: Set<PropertyValue>
  /// How many objects had a value.
  var count = 0

  enum Kind {
    case replaced
    case replacedInOrder(OrderedTexts)
    case jittered(Jitter)
    case kept
    case left
  }

  init(_ position: Int, _ property: CatalogProperty, _ kind: Kind) {
    self.position = position
    self.kind = kind
    var constants = Set((property.cases ?? []).map(PropertyValue.string))
    if case .value(let value) = property.defaultValue { constants.insert(value) }
    constants.formUnion([property.fill, property.nilFill])
    self.constants = constants.filter { !$0.isNull }
  }

  /// The name of what is done.
  var treatment: AnonymizationSummary.Treatment {
    switch kind {
    case .replaced: .replaced
    case .replacedInOrder: .replacedInOrder
    case .jittered: .jittered
    case .kept: .kept
    case .left: .left
    }
  }

  /// Whether values become others.
  var isChanging: Bool {
    switch kind {
    case .replaced, .replacedInOrder, .jittered: true
    case .kept, .left: false
    }
  }
}

/// What replaces the values of an object.
struct ObjectReplacement {
  let values: ValueReplacement
  let jitterKey: SipHash.Key

  init(_ key: AnonymizationKey, _ monitor: WorkMonitor) {
    values = ValueReplacement(key, isCancelled: monitor.isCancelled)
    jitterKey = key.key(for: .jitter)
  }

  /// What a value of a property becomes.
  ///
  /// - Throws: ``ValueReplacement/Collision`` when two elements become the same.
  func replacement(
    of value: PropertyValue, _ type: PropertyType, _ treatment: PropertyTreatment
  ) throws(ValueReplacement.Collision) -> PropertyValue {
    if treatment.constants.contains(value) { return value }
    switch treatment.kind {
    case .kept, .left: return value
    case .jittered(let jitter): return jitter.moved(value, type, jitterKey)
    case .replacedInOrder(let texts):
      guard case .string(let text) = value else { return value }
      return texts.replacements[text].map(PropertyValue.string) ?? value
    case .replaced:
      let new = try values.replacement(of: value, constants: treatment.constants)
      if case .set = type, case .list(let elements) = new,
        Set(elements).count < elements.count
      {
        throw ValueReplacement.Collision()
      }
      return new
    }
  }
}
