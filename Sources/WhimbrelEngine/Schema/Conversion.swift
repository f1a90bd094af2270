import Foundation

/// A conversion of the values of one type to another without loss.
package enum Conversion: Hashable, Sendable {
  /// The types are the same.
  case identity
  /// Every value of the old type can be converted. Stored records stay as they are, and each read
  /// widens the value.
  case widenedOnRead(to: PropertyType)
  /// The class is rewritten and its values are converted once. It can fail for some values:
  /// ``apply(_:_:)`` returns nil for them.
  case convertedByRewrite(from: PropertyType, to: PropertyType)
}

extension Conversion {
  /// Returns the conversion between two types, or nil if only a migration block can convert the
  /// values.
  ///
  /// - Integers become integers of another width, `float`, `double` and `decimal`. `float` becomes
  ///   `double`. Both become `decimal`, with the digits of their text.
  /// - Numbers, `bool`, `uuid` and `objectId` become text. Text is never parsed, and dates and data
  ///   do not become text.
  /// - All types except sets become `any`.
  /// - A single value becomes the only element of a list or a set, and nil becomes an empty one. A
  ///   list or a set with at most one element becomes a single value.
  /// - A list without duplicates becomes a set. A set becomes a list in the order of the store.
  /// - Elements are converted like single values. Elements that become required must not be nil.
  /// - A link is never converted to a link to another class.
  ///
  /// The conversion fails for a value that the new type cannot hold exactly: see ``mayFail``.
  package static func lossless(
    from old: PropertyType, to new: PropertyType
  ) -> Conversion? {
    if old == new { return .identity }
    let rewriting = Conversion.convertedByRewrite(from: old, to: new)
    if old.isCollection || new.isCollection {
      return convertsElements(from: old, to: new) ? rewriting : nil
    }
    switch new {
    case .any:
      return rewriting
    case .string:
      return old.scalar?.becomesText == true ? rewriting : nil
    case .decimal:
      return old.isNumber ? rewriting : nil
    case .double where old == .float:
      return .widenedOnRead(to: new)
    default:
      guard let values = old.integerBounds, let exact = new.scalar?.exactIntegers else {
        return nil
      }
      let holdsAll = exact.contains(values.lowerBound) && exact.contains(values.upperBound)
      return holdsAll ? .widenedOnRead(to: new) : rewriting
    }
  }

  /// Returns whether two types can be converted, at least one of which is a collection.
  private static func convertsElements(from old: PropertyType, to new: PropertyType) -> Bool {
    func converts(_ old: PropertyType, _ new: PropertyType) -> Bool {
      lossless(from: old, to: new) != nil
    }
    return switch (old, new) {
    case (.map(let old), .map(let new)), (.list(let old), .list(let new)),
      (.list(let old), .set(let new)), (.set(let old), .list(let new)),
      (.set(let old), .set(let new)):
      converts(old.type, new.type)
    case (.list(let element), .any), (.map(let element), .any):
      converts(element.type, .any)
    case (.map, _), (_, .map), (.set, .any): false
    case (_, .list(let element)), (_, .set(let element)): converts(old, element.type)
    case (.list(let element), _), (.set(let element), _): converts(element.type, new)
    default: false
    }
  }

  /// Whether the conversion can fail for some values.
  package var mayFail: Bool {
    guard case .convertedByRewrite(let old, let new) = self else { return false }
    return Self.mayFail(from: old, to: new)
  }

  private static func mayFail(from old: PropertyType, to new: PropertyType) -> Bool {
    if old == new { return false }
    switch (old, new) {
    case (.list(let old), .list(let new)), (.set(let old), .list(let new)),
      (.map(let old), .map(let new)):
      return mayFail(from: old, to: new)
    case (.list(let element), .any), (.map(let element), .any):
      return mayFail(from: element, to: ElementType(.any))
    case (.list, _), (.set, _):
      return true
    case (_, .list(let element)), (_, .set(let element)):
      return mayFail(from: old, to: element.type)
    case (_, .any):
      return old.linkTarget != nil
    case (_, .string):
      return false
    case (_, .decimal):
      return !old.isInteger
    default:
      if case .widenedOnRead = lossless(from: old, to: new) { return false }
      return true
    }
  }

  private static func mayFail(from old: ElementType, to new: ElementType) -> Bool {
    let losesNil = old.isOptional && !new.isOptional && new.type != .any
    return losesNil || mayFail(from: old.type, to: new.type)
  }

  /// Returns the converted value, or nil if it cannot be converted without loss.
  ///
  /// Nil stays nil, and an empty collection that becomes a single value is nil. Numbers become the
  /// shortest text that gives the same number back. `decimal` takes its digits from that text.
  ///
  /// - Parameter classID: Returns the ID of a class, for links that become values of any type. It
  ///   returns nil if values of any type cannot link to the class.
  package func apply(
    _ value: PropertyValue, _ classID: (_ name: String) -> ClassID? = { _ in nil }
  ) -> PropertyValue? {
    if value.isNull { return value }
    return switch self {
    case .identity: value
    case .widenedOnRead(let type): value.scalar?.counterpart(in: type)
    case .convertedByRewrite(let old, let new):
      Self.convert(value, from: old, to: new, classID)
    }
  }
}

// MARK: - Values

extension Conversion {
  private typealias ClassIDs = (_ name: String) -> ClassID?

  // `.none` means that the value cannot be converted, because `nil` can also be read as the value
  // null.
  private static func convert(
    _ value: PropertyValue, from old: PropertyType, to new: PropertyType, _ classID: ClassIDs
  ) -> PropertyValue? {
    if old == new { return value }
    switch (old, new, value) {
    case (.map(let old), .map(let new), .map(let values)):
      return map(values, from: old, to: new, classID)
    case (.map(let old), .any, .map(let values)):
      return map(values, from: old, to: ElementType(.any), classID)
    case (.list(let old), .any, .list(let values)):
      return list(values, from: old, to: ElementType(.any), classID)
    case (_, .list(let element), _):
      return list(value.elements(old), from: old.element, to: element, classID)
    case (_, .set(let element), _):
      return list(value.elements(old), from: old.element, to: element, classID).flatMap(set)
    case (.list(let element), _, .list(let values)), (.set(let element), _, .list(let values)):
      guard values.count <= 1 else { return .none }
      guard let value = values.first, !value.isNull else { return .some(.null) }
      return convert(value, from: element.type, to: new, classID)
    case (.link(let target), .any, .link(let id)):
      return classID(target).map { .object(ObjectReference(classID: $0, id: id)) }
    case (_, .any, _): return value
    default: return value.scalar?.counterpart(in: new)
    }
  }

  private static func convert(
    _ value: PropertyValue, from old: ElementType, to new: ElementType, _ classID: ClassIDs
  ) -> PropertyValue? {
    guard value.isNull else { return convert(value, from: old.type, to: new.type, classID) }
    return new.isOptional || new.type == .any ? .some(.null) : .none
  }

  private static func list(
    _ values: [PropertyValue], from old: ElementType, to new: ElementType, _ classID: ClassIDs
  ) -> PropertyValue? {
    var result: [PropertyValue] = []
    result.reserveCapacity(values.count)
    for value in values {
      guard let element = convert(value, from: old, to: new, classID) else { return .none }
      result.append(element)
    }
    return .list(result)
  }

  /// Returns the elements as a set, or nothing if there are duplicates.
  private static func set(_ list: PropertyValue) -> PropertyValue? {
    guard case .list(let values) = list else { return .none }
    let sorted = values.sortedAsSet()
    return sorted.count == values.count ? .list(sorted) : .none
  }

  private static func map(
    _ values: [String: PropertyValue], from old: ElementType, to new: ElementType,
    _ classID: ClassIDs
  ) -> PropertyValue? {
    var result: [String: PropertyValue] = [:]
    for (name, value) in values {
      guard let element = convert(value, from: old, to: new, classID) else { return .none }
      result[name] = element
    }
    return .map(result)
  }
}

extension PropertyValue {
  /// Returns the elements of a list or a set, or any other value as the only element.
  fileprivate func elements(_ type: PropertyType) -> [PropertyValue] {
    guard type.isCollection, case .list(let values) = self else { return [self] }
    return values
  }
}

extension PropertyType {
  /// The type of the elements, or of the only element if this is not a collection.
  fileprivate var element: ElementType { elementType ?? ElementType(self) }
}
