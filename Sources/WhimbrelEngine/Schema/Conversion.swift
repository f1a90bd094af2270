import Foundation

/// How the values of one type become values of another without loss.
package enum Conversion: Hashable, Sendable {
  /// The types are the same.
  case identity
  /// Every value of the old type has a counterpart, so that stored records may
  /// stay as they are: each read widens the value.
  case widenedOnRead(to: PropertyType)
  /// The values are converted once, in a rewriting of the class; some of them may
  /// have no counterpart, which ``apply(_:_:)`` tells.
  case convertedByRewrite(from: PropertyType, to: PropertyType)
}

extension Conversion {
  /// The conversion that loses nothing, or nil when only the app's own code can
  /// say what becomes of the values.
  ///
  /// - Whole numbers become wider ones, `float`, `double` and `decimal`; the latter
  ///   three are converted where they are exact.
  /// - Numbers, `bool`, `uuid` and `objectId` become text. Text is never read as
  ///   something else, and dates become nothing else.
  /// - Everything but sets becomes `any`.
  /// - A value becomes the only element of a list or a set, and what is nil an
  ///   empty one. Back, there may be one element at most.
  /// - Lists become sets if no element is there twice, and sets become lists in
  ///   the order of the store.
  /// - Elements are converted like values, one by one; where they become required,
  ///   none may be nil.
  /// - Links never lead to another class.
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

  /// Whether types convert of which one at least is a collection.
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

  /// Whether some values of the old type have no counterpart.
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

  /// The counterpart of a value of the old type, or nil when it has none.
  ///
  /// Nil values stay nil, and an empty collection that becomes a single value is
  /// nil. Numbers become the shortest text that gives the same number back, and
  /// with `decimal` the number that this text says.
  ///
  /// - Parameter classID: gives the class of links that a value of any type is to
  ///   hold, or nil when it cannot hold such.
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

  // Where there is no counterpart it is `.none`, as `nil` may mean the value nil.
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

  /// The elements as a set, unless some are there twice.
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
  /// The elements of a list or a set; any other value is the only one.
  fileprivate func elements(_ type: PropertyType) -> [PropertyValue] {
    guard type.isCollection, case .list(let values) = self else { return [self] }
    return values
  }
}

extension PropertyType {
  /// What a list or a set has, or the only element that the values become.
  fileprivate var element: ElementType { elementType ?? ElementType(self) }
}
