internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelInspection
internal import WhimbrelLMDB

/// The treatment of the values of one property, and the number of values that it met.
struct PropertyTreatment {
  let position: Int
  let type: PropertyType
  let kind: Kind
  let treatment: AnonymizationSummary.Treatment
  /// Values that stay: the cases of an enum, and unless the order is kept also the default value
  /// and the values that migrations fill in.
  let constants: Set<PropertyValue>
  /// The number of objects with a value.
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
    treatment =
      switch kind {
      case .replaced: .replaced
      case .replacedInOrder: .replacedInOrder
      case .jittered: .jittered
      case .kept: .kept
      case .left: .left
      }
    type = property.type
    var constants = Set((property.cases ?? []).map(PropertyValue.string))
    // In order, any other value that stayed would lose its place among those that are replaced.
    if treatment != .replacedInOrder {
      if case .value(let value) = property.defaultValue { constants.insert(value) }
      constants.formUnion([property.fill, property.nilFill])
    }
    self.constants = constants.filter { !$0.isNull }
  }

  var isChanging: Bool { treatment != .kept && treatment != .left }
}

/// The replacement of values that can identify a person: text, data and identifiers, alone and in
/// collections.
struct ValueReplacement {
  /// An error: two different values became equal.
  struct Collision: Error {}

  private let texts: TextReplacement
  private let bytes: SymbolPermutation
  private let jitterKey: SipHash.Key

  init(_ key: AnonymizationKey, _ monitor: WorkMonitor) {
    texts = TextReplacement(key, isCancelled: monitor.isCancelled)
    bytes = SymbolPermutation(key.key(for: .data))
    jitterKey = key.key(for: .jitter)
  }

  /// Returns the replacement of a value of a property.
  ///
  /// - Throws: ``Collision`` if two elements of a set or two names of a map become equal.
  func replacement(
    of value: PropertyValue, _ treatment: PropertyTreatment
  ) throws(Collision) -> PropertyValue {
    if treatment.constants.contains(value) { return value }
    switch treatment.kind {
    case .kept, .left: return value
    case .jittered(let jitter):
      // The names in a map can identify a person, whatever the type of its values.
      return try permuted(jitter.moved(value, treatment.type, jitterKey), constants: [])
    case .replacedInOrder(let texts):
      guard case .string(let text) = value else { return value }
      return texts.replacements[text].map(PropertyValue.string) ?? value
    case .replaced:
      let new = try replacement(of: value, constants: treatment.constants)
      if case .set = treatment.type, case .list(let elements) = new,
        Set(elements).count < elements.count
      {
        throw Collision()
      }
      return new
    }
  }

  /// - Parameter constants: Values that stay, because they are words of the app and not of people.
  private func replacement(
    of value: PropertyValue, constants: Set<PropertyValue>
  ) throws(Collision) -> PropertyValue {
    if constants.contains(value) { return value }
    // No other value may become a constant. `permuted` permutes the values of one shape. Repeating
    // it until the result is not a constant gives a permutation of the other values (cycle
    // walking), and meets each constant at most once. The limit is for texts with e-mail addresses,
    // which are not permuted.
    var new = try permuted(value, constants: constants)
    var attempts = constants.count
    while attempts > 0, constants.contains(new) {
      new = try permuted(new, constants: constants)
      attempts -= 1
    }
    return new
  }

  /// Returns a value of the same shape. Constants in a collection stay.
  private func permuted(
    _ value: PropertyValue, constants: Set<PropertyValue>
  ) throws(Collision) -> PropertyValue {
    switch value {
    case .string(let text): return .string(texts.replacement(of: text))
    case .data(let data): return .data(replacement(of: data))
    case .uuid(let uuid):
      return .uuid(UUID(uuidString: texts.replacement(of: uuid.uuidString)) ?? uuid)
    case .objectId(let id):
      return .objectId(ObjectId(texts.replacement(of: id.description)) ?? id)
    case .list(let elements):
      var replaced: [PropertyValue] = []
      for element in elements {
        replaced.append(try replacement(of: element, constants: constants))
      }
      return .list(replaced)
    case .map(let elements):
      var replaced: [String: PropertyValue] = [:]
      for (name, element) in elements {
        replaced[texts.replacement(of: name)] = try replacement(of: element, constants: constants)
      }
      if replaced.count < elements.count { throw Collision() }
      return .map(replaced)
    default: return value
    }
  }

  /// Returns data of the same size. Different data get different replacements.
  private func replacement(of data: Data) -> Data {
    var row = data.map { UInt32($0) }
    let sizes = [UInt32](repeating: 256, count: row.count)
    bytes.replace(&row, sizes: sizes, tweak: SipHash.Key(UInt64(row.count), 0))
    return Data(row.map { UInt8(truncatingIfNeeded: $0) })
  }
}

extension PropertyType {
  /// Whether values of this type can identify a person, and so are replaced by default.
  var isIdentifying: Bool {
    switch self {
    case .string, .data, .uuid, .objectId, .any, .map: true
    case .list(let element), .set(let element): element.type.isIdentifying
    default: false
    }
  }
}

/// The anonymisation of the objects of one class.
struct ClassAnonymization {
  private let table: ClassTable
  private var treatments: [PropertyTreatment]
  /// Whether every record is rewritten. Old bytes of a value that has become nil may still be in
  /// its record, so records are not copied.
  private let isRewriting: Bool

  init(_ table: ClassTable, _ treatments: [PropertyTreatment]) {
    self.table = table
    self.treatments = treatments
    isRewriting = treatments.contains(where: \.isChanging)
  }

  /// Returns the changed values of an object, or nil if its record is copied as it is.
  mutating func changes(
    of record: PageBytes, _ id: ObjectID, _ replacement: ValueReplacement
  ) throws -> [StoreCopy.Change]? {
    var changes: [StoreCopy.Change] = []
    for index in treatments.indices {
      let position = treatments[index].position
      let value = try table.value(position, of: record, id)
      if value.isNull { continue }
      treatments[index].count += 1
      guard treatments[index].isChanging else { continue }
      let new: PropertyValue
      do throws(ValueReplacement.Collision) {
        new = try replacement.replacement(of: value, treatments[index])
      } catch {
        throw InspectionError.valuesBecameEqual(
          table.session.file.path,
          "two elements of property '\(table.resolved.properties[position].name)' of object "
            + "\(id) of class '\(table.name)'")
      }
      if new != value { changes.append(StoreCopy.Change(position, new)) }
    }
    return isRewriting ? changes : nil
  }

  /// The treatment of each property, for the summary.
  var summary: [AnonymizationSummary.Property] {
    treatments.map { treatment in
      let property = table.resolved.properties[treatment.position]
      return AnonymizationSummary.Property(
        className: table.name, name: property.name, type: property.type.description,
        treatment: treatment.treatment, values: treatment.count)
    }
  }
}
