public import WhimbrelEngine

extension StoredList: ModelValue {
  /// The stored type.
  public static var propertyType: PropertyType { .list(of: Element._$elementType) }
  /// The raw values of the elements if they are an enum, as text, otherwise nil.
  public static var propertyCases: [String]? { Element._$elementCases }

  /// Makes an unmanaged list from a stored value. Returns nil if the value has another type, or if
  /// it is a list of links, which lead nowhere without a store.
  public convenience init?(propertyValue: PropertyValue) {
    guard case .list(let values) = propertyValue,
      let elements = [Element](propertyValues: values)
    else { return nil }
    self.init(elements)
  }

  /// The elements as a stored value. Unmanaged objects are stored as null.
  public var propertyValue: PropertyValue { .list(map(\._$plainValue)) }

  /// The empty list.
  public static var _$placeholder: StoredList { StoredList() }

  /// Returns the list of a managed object.
  public static func _$load(_ row: inout ModelRow, _ index: Int) -> StoredList {
    StoredList(CollectionStorage(row, index))
  }

  /// Replaces the elements of a managed object's list by those of another list.
  public static func _$store(_ value: StoredList, _ row: inout ModelRow, _ index: Int) {
    let target = CollectionStorage(row, index)
    guard !value.storage.isSame(as: target) else { return }
    target.edit(adding: value, else: ()) { values, editor in
      try editor.replaceSubrange(0..<editor.count(), with: values)
    }
  }

  /// Encodes the elements of an unmanaged object's list.
  public static func _$encode(
    _ value: StoredList, into encoder: inout ObjectEncoder, at index: Int
  ) throws {
    if !value.isManaged { value.storage.onManaged = { [weak value] in value?.local = [] } }
    try encoder._$setElements(index, value, of: value.storage)
  }

  /// Converts a sequence whose elements can be converted to an unmanaged list. Nil becomes an empty
  /// list.
  public static func _$converted(
    _ value: Any?, _ conversion: ValueConversion
  ) throws -> StoredList {
    StoredList(try conversion.elements(value, as: propertyType))
  }
}

extension Array where Element: CollectionElement {
  /// Makes elements from stored values. Returns nil if a value has another type.
  init?(propertyValues: [PropertyValue]) {
    guard let type = Element.self as? any ModelValue.Type else { return nil }
    var elements: [Element] = []
    for value in propertyValues {
      guard let element = type.init(propertyValue: value) as? Element else { return nil }
      elements.append(element)
    }
    self = elements
  }
}

extension ValueConversion {
  /// Returns the elements of a sequence, converted to their type.
  func elements<Element: CollectionElement>(
    _ value: Any?, as type: PropertyType
  ) throws -> [Element] {
    guard let value = unwrapped(value), (value as? PropertyValue)?.isNull != true else {
      return []
    }
    if !Element._$mayBeObject, !(value is String), let elements = value as? any Sequence<Element> {
      return Array(elements)
    }
    guard let values = elements(value) else { throw wrongType(type, value) }
    return try elements(values) { try Element._$convertedElement($0, $1) }
  }
}
