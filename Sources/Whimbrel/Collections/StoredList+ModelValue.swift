public import WhimbrelEngine

extension StoredList: ModelValue {
  /// The type as it is stored.
  public static var propertyType: PropertyType { .list(of: Element._$elementType) }
  /// The raw values of an enum, as text, or nil.
  public static var propertyCases: [String]? { Element._$elementCases }

  /// Makes an unmanaged list of a stored value, or returns nil when it is of another
  /// type, or a list of links, which lead nowhere without a store.
  public convenience init?(propertyValue: PropertyValue) {
    guard case .list(let values) = propertyValue,
      let elements = [Element](propertyValues: values)
    else { return nil }
    self.init(elements)
  }

  /// The elements as they are stored; objects that are in no store are nil.
  public var propertyValue: PropertyValue { .list(map(\._$plainValue)) }

  /// No elements.
  public static var _$placeholder: StoredList { StoredList() }

  /// The list of a managed object.
  public static func _$load(_ row: inout ModelRow, _ index: Int) -> StoredList {
    StoredList(CollectionStorage(row, index))
  }

  /// Gives the list of a managed object the elements of another.
  public static func _$store(_ value: StoredList, _ row: inout ModelRow, _ index: Int) {
    let target = CollectionStorage(row, index)
    guard !value.storage.isSame(as: target) else { return }
    target.edit(adding: value, else: ()) { values, editor in
      try editor.replaceSubrange(0..<editor.count(), with: values)
    }
  }

  /// Hands the elements of an unmanaged object over.
  public static func _$encode(
    _ value: StoredList, into encoder: inout ObjectEncoder, at index: Int
  ) throws {
    if !value.isManaged { value.storage.onManaged = { [weak value] in value?.local = [] } }
    try encoder._$setElements(index, value, of: value.storage)
  }

  /// Makes an unmanaged list of a sequence of what elements can be made of; nil is
  /// an empty one.
  public static func _$converted(
    _ value: Any?, _ conversion: ValueConversion
  ) throws -> StoredList {
    StoredList(try conversion.elements(value, as: propertyType))
  }
}

extension Array where Element: CollectionElement {
  /// Makes elements of stored values, or returns nil when one is of another type.
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
  /// The elements that are made of a sequence of values of other types.
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
