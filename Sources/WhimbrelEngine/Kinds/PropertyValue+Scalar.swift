internal import Foundation
internal import WhimbrelLMDB

extension PropertyValue {
  /// The value as a Swift value, or nil for null, links, objects and collections.
  var scalar: (any Scalar)? {
    switch self {
    case .bool(let value): value
    case .int(let value): value
    case .float(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): value
    case .date(let value): value
    case .uuid(let value): value
    case .decimal(let value): value
    case .objectId(let value): value
    case .null, .link, .object, .list, .map: nil
    }
  }

  /// The scalar for encoders, or nil if this is not a scalar.
  package var encodableScalar: (any Encodable)? { scalar }

  /// The text of a scalar in dumps, tables and SQLite, or nil if this is not a scalar.
  package var exactText: String? {
    switch self {
    case .bool(let value): value.exactText
    case .int(let value): value.exactText
    case .float(let value): value.exactText
    case .double(let value): value.exactText
    case .string(let value): value.exactText
    case .data(let value): value.exactText
    case .date(let value): value.exactText
    case .uuid(let value): value.exactText
    case .decimal(let value): value.exactText
    case .objectId(let value): value.exactText
    case .null, .link, .object, .list, .map: nil
    }
  }

  /// The Swift expression that makes a scalar, or nil if this is not a scalar.
  package var swiftLiteral: String? { scalar?.swiftLiteral }

  /// Hashes a scalar so that two scalars that are the same element of a set have the same hash.
  /// Other values are not hashed.
  package func hashScalar(into hasher: inout Hasher) { scalar?.hashElement(into: &hasher) }

  /// Returns the order of two scalars of the same kind, or nil if they have no order.
  func orderOfScalars(to other: PropertyValue) -> ValueOrder? {
    switch (self, other) {
    case (.bool(let left), .bool(let right)): left.order(to: right)
    case (.int(let left), .int(let right)): left.order(to: right)
    case (.float(let left), .float(let right)): left.order(to: right)
    case (.double(let left), .double(let right)): left.order(to: right)
    case (.string(let left), .string(let right)): left.order(to: right)
    case (.data(let left), .data(let right)): left.order(to: right)
    case (.date(let left), .date(let right)): left.order(to: right)
    case (.uuid(let left), .uuid(let right)): left.order(to: right)
    case (.decimal(let left), .decimal(let right)): left.order(to: right)
    case (.objectId(let left), .objectId(let right)): left.order(to: right)
    default: nil
    }
  }

  /// Returns whether this scalar precedes another in the order of sets, or nil unless both are
  /// scalars of the same kind.
  func scalarPrecedes(_ other: PropertyValue) -> Bool? {
    switch (self, other) {
    case (.bool(let left), .bool(let right)): left.precedesInOrder(right)
    case (.int(let left), .int(let right)): left.precedesInOrder(right)
    case (.float(let left), .float(let right)): left.precedesInOrder(right)
    case (.double(let left), .double(let right)): left.precedesInOrder(right)
    case (.string(let left), .string(let right)): left.precedesInOrder(right)
    case (.data(let left), .data(let right)): left.precedesInOrder(right)
    case (.date(let left), .date(let right)): left.precedesInOrder(right)
    case (.uuid(let left), .uuid(let right)): left.precedesInOrder(right)
    case (.decimal(let left), .decimal(let right)): left.precedesInOrder(right)
    case (.objectId(let left), .objectId(let right)): left.precedesInOrder(right)
    default: nil
    }
  }

  /// Appends the key bytes of a scalar. Other values are not indexed and append nothing.
  func appendScalar(toKey key: inout some KeyBytes) {
    switch self {
    case .bool(let value): value.append(toKey: &key)
    case .int(let value): value.append(toKey: &key)
    case .float(let value): value.append(toKey: &key)
    case .double(let value): value.append(toKey: &key)
    case .string(let value): value.append(toKey: &key)
    case .data(let value): value.append(toKey: &key)
    case .date(let value): value.append(toKey: &key)
    case .uuid(let value): value.append(toKey: &key)
    case .decimal(let value): value.append(toKey: &key)
    case .objectId(let value): value.append(toKey: &key)
    case .null, .link, .object, .list, .map: break
    }
  }

  /// Returns whether both values are the same to the bit.
  ///
  /// Unlike `==`, this finds a NaN equal to itself, distinguishes −0 from 0, and distinguishes
  /// strings that are only canonically equivalent.
  package func isIdentical(to other: PropertyValue) -> Bool {
    switch (self, other) {
    case (.float(let left), .float(let right)): left.isIdentical(to: right)
    case (.double(let left), .double(let right)): left.isIdentical(to: right)
    case (.date(let left), .date(let right)): left.isIdentical(to: right)
    case (.string(let left), .string(let right)): left.isIdentical(to: right)
    case (.decimal(let left), .decimal(let right)): left.isIdentical(to: right)
    case (.list(let left), .list(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
    case (.map(let left), .map(let right)): left.isIdentical(to: right)
    default: self == other
    }
  }

  /// Returns whether this is a value of a scalar type that is not an integer type.
  package func isScalar(of type: PropertyType) -> Bool {
    switch (type, self) {
    case (.bool, .bool), (.float, .float), (.double, .double), (.string, .string), (.data, .data),
      (.date, .date), (.uuid, .uuid), (.decimal, .decimal), (.objectId, .objectId):
      true
    default: false
    }
  }
}

extension RecordEncoder {
  /// Stores a scalar that is already checked. Other values are ignored.
  mutating func setScalar(_ index: Int, _ value: PropertyValue) throws {
    switch value {
    case .bool(let value): set(index, fixed: UInt8(value ? 1 : 0))
    case .int(let number): set(index, bits: UInt64(bitPattern: number))
    case .float(let value): set(index, fixed: value.bitPattern.littleEndian)
    case .double(let value): set(index, fixed: value.bitPattern.littleEndian)
    case .string(let text): try set(index, text)
    case .data(let data): try set(index, data)
    case .uuid(let uuid): set(index, uuid)
    case .decimal(let decimal): set(index, decimal)
    case .objectId(let id): set(index, id)
    case .date(let date):
      set(index, fixed: date.timeIntervalSinceReferenceDate.bitPattern.littleEndian)
    case .null, .link, .object, .list, .map: break
    }
  }
}

extension [String: PropertyValue] {
  /// Returns whether both maps have the same names, byte for byte, and identical values.
  fileprivate func isIdentical(to other: [String: PropertyValue]) -> Bool {
    guard count == other.count else { return false }
    return allSatisfy { name, value in
      guard let place = other.index(forKey: name) else { return false }
      let (otherName, otherValue) = other[place]
      return name.utf8.elementsEqual(otherName.utf8) && value.isIdentical(to: otherValue)
    }
  }
}
