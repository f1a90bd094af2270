internal import Foundation

extension CatalogProperty {
  /// Converts a value to the form that the property stores: of its type, in its range and one of
  /// its cases.
  ///
  /// - Throws: ``StoreError`` with `missingValue`, `wrongType`, `outOfRange`, `unknownCase`,
  ///   `invalidMapKey`, `nestedTooDeep` or `valueTooLarge`.
  func checked(_ value: PropertyValue, in className: String) throws -> PropertyValue {
    switch (type, value) {
    case (.any, _):
      return try checkedAny(value, in: className)
    case (.list(let element), .list(let values)), (.set(let element), .list(let values)):
      return .list(try values.map { try checked($0, as: element, in: className) })
    case (.map(let element), .map(let values)):
      return .map(
        try values.reduce(into: [:]) { map, pair in
          try checkName(pair.key, in: className)
          map[pair.key] = try checked(pair.value, as: element, in: className)
        })
    case (_, .null) where isOptional:
      return value
    case (_, .null) where !type.isCollection:
      throw StoreError.missingValue(class: className, property: name)
    default:
      return try checkedScalar(value, as: type, in: className)
    }
  }

  /// Converts a value to the form that an element of a collection stores.
  func checked(
    _ value: PropertyValue, as element: ElementType, in className: String
  ) throws -> PropertyValue {
    if element.type == .any { return try checkedAny(value, in: className) }
    if value.isNull && element.isOptional { return value }
    if let size = value.byteCount, size > RecordEncoder.maximumValueSize {
      throw StoreError.valueTooLarge(
        class: className, property: name, limit: RecordEncoder.maximumValueSize, got: size)
    }
    return try checkedScalar(value, as: element.type, in: className)
  }

  private func checkedAny(_ value: PropertyValue, in className: String) throws -> PropertyValue {
    switch AnyCoding.problem(of: value) {
    case nil: return value
    case .tooDeep:
      throw StoreError.nestedTooDeep(
        class: className, property: name, limit: AnyCoding.depthLimit)
    case .link:
      throw StoreError.wrongType(
        class: className, property: name, expected: .any, isOptional: isOptional, got: "link")
    case .tooLarge(let size):
      throw StoreError.valueTooLarge(
        class: className, property: name, limit: RecordEncoder.maximumValueSize, got: size)
    }
  }

  /// Throws unless the name is valid for a map.
  func checkName(_ key: String, in className: String) throws {
    let count = key.utf8.count
    guard (1...ElementCoding.nameLimit).contains(count) else {
      throw StoreError.invalidMapKey(
        class: className, property: name, limit: ElementCoding.nameLimit, got: count)
    }
  }

  private func checkedScalar(
    _ value: PropertyValue, as wanted: PropertyType, in className: String
  ) throws -> PropertyValue {
    switch (wanted, value) {
    case (.string, .string(let text)):
      // The text that the case has: conditions and keys distinguish texts that are only canonically
      // equivalent, and an enum of Swift does not.
      return cases == nil ? value : .string(try requiredCase(text, in: className))
    case (.double, .float(let number)):
      return .double(Double(number))
    case (_, .int(let number)) where wanted.isInteger:
      guard wanted.integerBounds?.contains(number) == true else {
        throw StoreError.outOfRange(class: className, property: name, got: "int", type: wanted)
      }
      if cases != nil { _ = try requiredCase(String(number), in: className) }
      return value
    case (.link, .link):
      return value
    default:
      if value.isScalar(of: wanted) { return value }
      throw StoreError.wrongType(
        class: className, property: name, expected: wanted, isOptional: isOptional,
        got: value.kind)
    }
  }

  /// Returns the case that equals a text, as `init(rawValue:)` finds it.
  private func requiredCase(_ raw: String, in className: String) throws -> String {
    let cases = cases ?? []
    guard let position = cases.firstIndex(of: raw) else {
      throw StoreError.unknownCase(class: className, property: name, known: cases)
    }
    return cases[position]
  }
}

extension PropertyValue {
  /// The length of text or data in bytes, or nil for other values.
  fileprivate var byteCount: Int? {
    switch self {
    case .string(let text): text.utf8.count
    case .data(let data): data.count
    default: nil
    }
  }
}
