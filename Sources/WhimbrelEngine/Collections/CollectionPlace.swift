package import WhimbrelLMDB

/// The place of a value in a set, or of a name in a map.
package struct CollectionPlace {
  /// The position of the element, or the position at which to insert it if it is not there.
  package let position: Int
  /// The bytes of the element if it is there, or nil. They are valid until the next change.
  package let element: PageBytes?

  package var isThere: Bool { element != nil }
  /// The position of the element, or nil if it is not there.
  package var found: Int? { isThere ? position : nil }
  /// The position of the first element that comes after the value or the name.
  package var next: Int { isThere ? position + 1 : position }
}

extension CollectionTree {
  /// Returns the place of a value in a set.
  func place(
    of value: PropertyValue, _ coding: ElementCoding, _ property: PropertyID, _ overflow: Overflow
  ) throws -> CollectionPlace {
    let place = try partitionPoint { bytes in
      !(try coding.value(bytes, property, overflow).precedes(value))
    }
    let element = try place.element.flatMap { bytes in
      try coding.value(bytes, property, overflow).isSameElement(as: value) ? bytes : nil
    }
    return CollectionPlace(position: place.index, element: element)
  }

  /// Returns the place of a name in a map.
  func place(ofName name: String, _ coding: ElementCoding) throws -> CollectionPlace {
    let place = try partitionPoint { bytes in
      !(try coding.nameBytes(bytes).text.precedesInOrder(name))
    }
    let element = try place.element.flatMap { bytes in
      try coding.nameBytes(bytes).text == name ? bytes : nil
    }
    return CollectionPlace(position: place.index, element: element)
  }
}
