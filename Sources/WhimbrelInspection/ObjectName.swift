internal import Foundation
package import WhimbrelEngine

/// How people name an object of a class: by its primary key, or by `id:` and its object ID.
///
/// Primary keys come first: where one is `id:17`, that name is the object that has it. In a class
/// without primary key the number alone is the object ID too.
extension ClassTable {
  /// The object with a name.
  ///
  /// - Throws: ``InspectionError`` with `badArgument` or `noSuchObject`, and `StoreError`.
  package func object(named name: String) throws -> ObjectID {
    if let position = resolved.primaryKeyIndex {
      return try object(named: name, by: resolved.properties[position])
    }
    guard let id = Self.objectID(named: name) ?? UInt64(name).map(ObjectID.init(rawValue:)) else {
      throw InspectionError.badArgument(
        name, "class \(PlainText.quoted(self.name)) has no primary key, and this is no object ID",
        "Give the number that 'whimbrel ls' shows, as in 'id:17'.")
    }
    return try existing(id, name)
  }

  private func object(named name: String, by property: CatalogProperty) throws -> ObjectID {
    let objectID = Self.objectID(named: name)
    do {
      if let id = try find(PropertyValue(text: name, for: property)) { return id }
    } catch let error as InspectionError where error.code == .badArgument && objectID != nil {
      // It is no such key, and may be an ID.
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

  /// The name of an object by its object ID: `id:17`.
  package static func name(of id: ObjectID) -> String { "id:\(id.rawValue)" }

  /// The object ID in a name as `id:17`, or nil.
  static func objectID(named name: String) -> ObjectID? {
    guard name.utf8.starts(with: "id:".utf8) else { return nil }
    return UInt64(Substring(name.utf8.dropFirst(3))).map(ObjectID.init(rawValue:))
  }

  /// The name of an object: its primary key, or `id:` and its object ID. It is not escaped.
  package func objectName(_ id: ObjectID) throws -> String {
    guard let position = resolved.primaryKeyIndex, let record = try record(id) else {
      return resolved.key(of: id)?.text ?? Self.name(of: id)
    }
    switch try value(position, of: record, id) {
    case .string(let text): return text
    case .int(let number): return "\(number)"
    case .uuid(let uuid): return uuid.uuidString
    case .objectId(let key): return key.description
    default: return Self.name(of: id)
    }
  }
}
