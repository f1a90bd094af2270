internal import Foundation
package import WhimbrelEngine

/// The names of objects in commands: a primary key, or `id:` and an object ID.
///
/// Primary keys come first: if an object has the primary key `id:17`, that name means this object.
/// In a class without a primary key the number alone is also an object ID.
extension ClassTable {
  /// Returns the object with a name.
  ///
  /// - Throws: ``InspectionError`` with `badArgument` or `noSuchObject`, and `StoreError`.
  package func object(named name: String) throws -> ObjectID {
    if let position = resolved.primaryKeyIndex {
      return try object(named: name, by: resolved.properties[position])
    }
    guard let id = Self.objectID(named: name) ?? UInt64(name).map(ObjectID.init(rawValue:)) else {
      throw InspectionError.badArgument(
        name,
        "class \(PlainText.quoted(self.name)) has no primary key, and this is not an object ID",
        "Use the number that 'whimbrel ls' shows, such as 'id:17'.")
    }
    return try existing(id, name)
  }

  /// Returns the object with a name, which may be damaged.
  ///
  /// - Throws: As ``object(named:)``.
  package func objectPerhapsDamaged(named name: String) throws -> ObjectID {
    do {
      return try object(named: name)
    } catch let error as StoreError where error.code == .damaged {
      // Looking for an object by its ID, or by a key that is its ID, reads it.
      var id = Self.objectID(named: name)
      if id == nil, resolved.isClustered { id = Int64(name).map(ObjectID.init(clusteredKey:)) }
      if id == nil, resolved.primaryKeyIndex == nil {
        id = UInt64(name).map(ObjectID.init(rawValue:))
      }
      guard let id, try isDamaged(id) else { throw error }
      return id
    }
  }

  private func object(named name: String, by property: CatalogProperty) throws -> ObjectID {
    let objectID = Self.objectID(named: name)
    do {
      if let id = try find(PropertyValue(text: name, for: property)) { return id }
    } catch let error as InspectionError where error.code == .badArgument && objectID != nil {
      // The text is not a valid key, but may be an object ID.
    }
    if let objectID { return try existing(objectID, name) }
    throw InspectionError.noSuchObject(
      name, class: self.name,
      "no object has this primary key, \(PlainText.quoted(property.name))")
  }

  private func existing(_ id: ObjectID, _ name: String) throws -> ObjectID {
    guard try record(id) != nil else {
      throw InspectionError.noSuchObject(name, class: self.name, "no object has this object ID")
    }
    return id
  }

  /// Returns the name of an object by its object ID: `id:17`.
  package static func name(of id: ObjectID) -> String { "id:\(id.rawValue)" }

  /// Returns the object ID in a name such as `id:17`, or nil.
  static func objectID(named name: String) -> ObjectID? {
    guard name.utf8.starts(with: "id:".utf8) else { return nil }
    return UInt64(Substring(name.utf8.dropFirst(3))).map(ObjectID.init(rawValue:))
  }

  /// Returns the name of an object: its primary key, or `id:` and its object ID. The name is not
  /// escaped.
  package func objectName(_ id: ObjectID) throws -> String {
    guard let position = resolved.primaryKeyIndex, let record = try record(id) else {
      return resolved.key(of: id)?.text ?? Self.name(of: id)
    }
    return try value(position, of: record, id).exactText ?? Self.name(of: id)
  }
}
