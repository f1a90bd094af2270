import Foundation
import WhimbrelEngine

/// The conversions that need no code, as the design has them.
extension MigrationOracle {
  /// Whether values convert by themselves.
  static func converts(_ old: PropertyType, _ new: PropertyType) -> Bool {
    if old == new { return true }
    return switch (old, new) {
    case (.map(let old), .map(let new)): converts(old.type, new.type)
    case (.map(let old), .any), (.list(let old), .any): converts(old.type, .any)
    case (.map, _), (_, .map), (.set, .any): false
    case (.list(let old), .list(let new)), (.list(let old), .set(let new)),
      (.set(let old), .list(let new)), (.set(let old), .set(let new)):
      converts(old.type, new.type)
    case (.list(let old), _), (.set(let old), _): converts(old.type, new)
    case (_, .list(let new)), (_, .set(let new)): converts(old, new.type)
    case (_, .any): true
    case (.link, _), (_, .link): false
    case (_, .string):
      old.isInteger
        || [.float, .double, .decimal, .bool, .uuid, .objectId]
          .contains(old)
    case (_, .decimal): old.isInteger || [.float, .double].contains(old)
    case (_, .float): old.isInteger
    case (_, .double): old.isInteger || old == .float
    default: old.isInteger && new.isInteger
    }
  }

  /// The counterpart of a value that is not nil, or `.none`, as `nil` may be the value nil.
  static func convert(
    _ value: PropertyValue, _ old: PropertyType, _ new: PropertyType
  ) -> PropertyValue? {
    if old == new { return value }
    switch (old, new, value) {
    case (.map(let old), .map(let new), .map(let values)): return map(values, old, new)
    case (.map(let old), .any, .map(let values)): return map(values, old, ElementType(.any))
    case (.list(let old), .any, .list(let values)): return list(values, old, ElementType(.any))
    case (.list(let old), .list(let new), .list(let values)),
      (.set(let old), .list(let new), .list(let values)):
      return list(values, old, new)
    case (.list(let old), .set(let new), .list(let values)),
      (.set(let old), .set(let new), .list(let values)):
      return set(list(values, old, new))
    case (.list(let old), _, .list(let values)), (.set(let old), _, .list(let values)):
      if values.isEmpty || values == [.null] { return PropertyValue.null }
      return values.count == 1 ? convert(values[0], old.type, new) : nil
    case (_, .list(let new), _): return list([value], ElementType(old), new)
    case (_, .set(let new), _): return set(list([value], ElementType(old), new))
    case (.link, .any, .link(let id)): return reference(Int64(bitPattern: id.rawValue))
    case (_, .any, _): return value
    default: return scalar(value, new)
    }
  }

  private static func element(
    _ value: PropertyValue, _ old: ElementType, _ new: ElementType
  ) -> PropertyValue? {
    if value != .null { return convert(value, old.type, new.type) }
    return new.isOptional || new.type == .any ? .some(.null) : .none
  }

  private static func list(
    _ values: [PropertyValue], _ old: ElementType, _ new: ElementType
  ) -> PropertyValue? {
    let converted = values.compactMap { element($0, old, new) }
    return converted.count == values.count ? .list(converted) : .none
  }

  private static func set(_ list: PropertyValue?) -> PropertyValue? {
    guard case .list(let values)? = list else { return nil }
    let sorted = values.sortedAsSet()
    return sorted.count == values.count ? .list(sorted) : .none
  }

  private static func map(
    _ values: [String: PropertyValue], _ old: ElementType, _ new: ElementType
  ) -> PropertyValue? {
    let converted = values.compactMapValues { element($0, old, new) }
    return converted.count == values.count ? .map(converted) : .none
  }

  private static func scalar(_ value: PropertyValue, _ new: PropertyType) -> PropertyValue? {
    switch (value, new) {
    case (.bool(let bool), .string): .string(bool ? "true" : "false")
    case (.int(let number), .string): .string("\(number)")
    case (.float(let number), .string): .string("\(number)")
    case (.double(let number), .string): .string("\(number)")
    case (.decimal(let number), .string): .string("\(number)")
    case (.uuid(let uuid), .string): .string(uuid.uuidString)
    case (.objectId(let id), .string): .string("\(id)")
    // The numbers of these tests are all exact.
    case (.int(let number), .float): .float(Float(number))
    case (.int(let number), .double): .double(Double(number))
    case (.int(let number), .decimal): .decimal(Decimal(number))
    case (.float(let number), .double): .double(Double(number))
    case (.float(let number), .decimal): Decimal(string: "\(number)").map(PropertyValue.decimal)
    case (.double(let number), .decimal): Decimal(string: "\(number)").map(PropertyValue.decimal)
    case (.int(let number), .int8): Int8(exactly: number) == nil ? .none : value
    case (.int(let number), .int16): Int16(exactly: number) == nil ? .none : value
    case (.int(let number), .int32): Int32(exactly: number) == nil ? .none : value
    case (.int(let number), .uint8): UInt8(exactly: number) == nil ? .none : value
    case (.int(let number), .uint16): UInt16(exactly: number) == nil ? .none : value
    case (.int(let number), .uint32): UInt32(exactly: number) == nil ? .none : value
    case (.int, .int): value
    default: .none
    }
  }
}
