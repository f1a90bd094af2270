internal import Foundation

extension CatalogProperty {
  /// A value as the property keeps it: of its type, in its range, and one of its
  /// cases.
  ///
  /// - Throws: ``StoreError`` with `missingValue`, `wrongType`, `outOfRange` or
  ///   `unknownCase`.
  func checked(_ value: PropertyValue, in className: String) throws -> PropertyValue {
    switch (type, value) {
    case (.any, _):
      return value
    case (.list(let element), .list(let values)), (.set(let element), .list(let values)):
      return .list(try values.map { try checked($0, as: element, in: className) })
    case (.map(let element), .map(let values)):
      return .map(
        try values.reduce(into: [:]) { map, pair in
          try checkName(pair.key, in: className)
          map[pair.key] = try checked(pair.value, as: element, in: className)
        })
    case (_, .null):
      guard isOptional else {
        throw StoreError.missingValue(class: className, property: name)
      }
      return value
    default:
      return try checkedScalar(value, as: type, in: className)
    }
  }

  /// An element as a collection keeps it.
  func checked(
    _ value: PropertyValue, as element: ElementType, in className: String
  ) throws -> PropertyValue {
    if element.type == .any || value.isNull && element.isOptional { return value }
    return try checkedScalar(value, as: element.type, in: className)
  }

  /// Throws unless a map may have a name.
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
    case (.bool, .bool), (.float, .float), (.double, .double), (.data, .data), (.uuid, .uuid),
      (.date, .date), (.decimal, .decimal), (.objectId, .objectId), (.link, .link):
      return value
    case (.string, .string(let text)):
      if cases != nil { try checkCase(text, in: className) }
      return value
    case (.double, .float(let number)):
      return .double(Double(number))
    case (_, .int(let number)) where wanted.isInteger:
      guard wanted.integerBounds?.contains(number) == true else {
        throw StoreError.outOfRange(class: className, property: name, got: "int", type: wanted)
      }
      if cases != nil { try checkCase(String(number), in: className) }
      return value
    default:
      throw StoreError.wrongType(
        class: className, property: name, expected: wanted, isOptional: isOptional,
        got: value.kind)
    }
  }

  private func checkCase(_ raw: String, in className: String) throws {
    guard let cases, !cases.contains(raw) else { return }
    throw StoreError.unknownCase(class: className, property: name, known: cases)
  }
}
