internal import Foundation
package import WhimbrelEngine
internal import WhimbrelLMDB

// Whole values, of which cells hold the beginning.
extension StoreInspector {
  /// Returns a part of a collection as JSON.
  ///
  /// ```json
  /// {"kind":"list","count":20,"elements":[cell, …]}
  /// ```
  ///
  /// The elements of a map are `[name, cell]`. A value of any type may be a list or a map, too.
  ///
  /// - Parameters:
  ///   - className: The class of the object.
  ///   - id: The object.
  ///   - property: The property.
  ///   - offset: The number of elements before the part.
  ///   - limit: The limit of elements, at most ``ObjectListing/pageLimit``.
  /// - Throws: ``InspectionError`` with `badArgument` or `noSuchObject`, and `StoreError` with
  ///   `unknownClass` or `unknownProperty`, or for a damaged object.
  /// - Complexity: O(*k* log *n*) for *k* elements of the part.
  package func collectionPage(
    class className: String, id: ObjectID, property: String, offset: Int, limit: Int
  ) throws -> [UInt8] {
    try explaining {
      let place = try ValuePlace(className, id, property, session)
      // The bound keeps the sum below from overflowing. No collection has so many elements.
      let start = min(max(offset, 0), Int.max / 2)
      let range = start..<start + min(max(limit, 0), ObjectListing.pageLimit)
      var cells = CellWriter(session)
      if place.type.isCollection {
        try cells.append(
          collection: place.position, of: id, place.table, range, hasKind: true)
      } else {
        let value = try place.value()
        guard try cells.append(anyCollection: value, range) else {
          throw place.refused("it is not a list, a set or a map")
        }
      }
      return cells.bytes
    }
  }

  /// Returns a whole text: a property, or an element of a collection.
  ///
  /// - Parameters:
  ///   - className: The class of the object.
  ///   - id: The object.
  ///   - property: The property.
  ///   - index: The position of an element in a list or a set.
  ///   - key: The name of an element of a map.
  /// - Throws: As ``collectionPage(class:id:property:offset:limit:)``, and ``InspectionError`` with
  ///   `badArgument` if the value is not a string.
  package func text(
    class className: String, id: ObjectID, property: String, index: Int? = nil, key: String? = nil
  ) throws -> String {
    try explaining {
      let place = try ValuePlace(className, id, property, session)
      guard case .string(let text) = try place.value(index: index, key: key) else {
        throw place.refused("the value is not a string")
      }
      return text
    }
  }

  /// Returns whole data: a property, or an element of a collection.
  ///
  /// The parameters are those of ``text(class:id:property:index:key:)``.
  ///
  /// - Throws: As ``text(class:id:property:index:key:)``, with `badArgument` if the value is not
  ///   data.
  package func data(
    class className: String, id: ObjectID, property: String, index: Int? = nil, key: String? = nil
  ) throws -> [UInt8] {
    try explaining {
      let place = try ValuePlace(className, id, property, session)
      guard case .data(let data) = try place.value(index: index, key: key) else {
        throw place.refused("the value is not data")
      }
      return Array(data)
    }
  }
}

/// A property of an object that exists.
private struct ValuePlace {
  let table: ClassTable
  let position: Int
  private let id: ObjectID
  private let record: PageBytes

  var type: PropertyType { table.resolved.properties[position].type }

  init(_ className: String, _ id: ObjectID, _ property: String, _ session: Session) throws {
    let table = try session.table(className)
    guard let stored = try table.record(id) else {
      throw InspectionError.noSuchObject(
        ClassTable.name(of: id), class: className, "no object has this object ID")
    }
    (self.table, record) = try table.reading(stored, id)
    position = try self.table.resolved.requiredPosition(of: property)
    self.id = id
  }

  func value() throws -> PropertyValue { try table.value(position, of: record, id) }

  /// Returns the value of the property, or of an element of it.
  func value(index: Int?, key: String?) throws -> PropertyValue {
    if index == nil, key == nil {
      if type.isCollection { throw refused("it is a collection: name one of its elements") }
      return try value()
    }
    if index != nil, key != nil {
      throw refused("an element has either an index or a key, not both")
    }
    let found = try type.isCollection ? element(index, key) : anyElement(index, key)
    if let found { return found }
    let name = key.map(PlainText.quoted) ?? "\(index ?? 0)"
    throw refused("it has no element \(name)")
  }

  private func element(_ index: Int?, _ key: String?) throws -> PropertyValue? {
    try table.readCollection(position, of: id) { reader in
      let place = try type.isMap ? key.flatMap { try reader.place(ofName: $0).found } : index
      guard let place, place >= 0, place < reader.count else { return nil }
      return try reader.value(at: place)
    }
  }

  private func anyElement(_ index: Int?, _ key: String?) throws -> PropertyValue? {
    switch try value() {
    case .list(let elements):
      guard let index, elements.indices.contains(index) else { return nil }
      return elements[index]
    case .map(let elements): return key.flatMap { elements[$0] }
    default: return nil
    }
  }

  func refused(_ reason: String) -> InspectionError {
    let property = table.resolved.properties[position]
    return InspectionError.badArgument(
      property.name, reason,
      "Property \(PlainText.quoted("\(table.name).\(property.name)")) holds '\(property.typeText)'."
    )
  }
}

extension CellWriter {
  /// Appends elements of a list or map of any type. Returns false for other values.
  fileprivate mutating func append(
    anyCollection value: PropertyValue, _ range: Range<Int>
  ) throws -> Bool {
    switch value {
    case .list(let elements):
      writer.append(raw: #"{"kind":"list","count":"#)
      writer.append(elements.count)
      writer.append(raw: #","elements":["#)
      for index in range.clamped(to: elements.indices) {
        writer.separate()
        try catchingDamage { try $0.append(elements[index], as: .any) }
      }
    case .map(let elements):
      let sorted = elements.inDumpOrder
      writer.append(raw: #"{"kind":"map","count":"#)
      writer.append(sorted.count)
      writer.append(raw: #","elements":["#)
      for index in range.clamped(to: sorted.indices) {
        writer.separate()
        try catchingDamage {
          try $0.append(entry: sorted[index].key, sorted[index].value, as: .any)
        }
      }
    default: return false
    }
    writer.append(raw: "]}")
    return true
  }
}
