internal import Foundation
package import WhimbrelEngine

/// How people name an object of a class: by its primary key, or by `#` and its object ID.
///
/// Where a class has no primary key, the number alone is the object ID too.
extension ClassTable {
  /// The object with a name.
  ///
  /// - Throws: ``InspectionError`` with `badArgument` or `noSuchObject`, and `StoreError`.
  package func object(named name: String) throws -> ObjectID {
    if name.hasPrefix("#"), let number = UInt64(name.dropFirst()) {
      return try existing(ObjectID(rawValue: number), name)
    }
    guard let position = resolved.primaryKeyIndex else {
      guard let number = UInt64(name) else {
        throw InspectionError.badArgument(
          name, "class \(PlainText.quoted(self.name)) has no primary key, and this is no object ID",
          "Give the number that 'whimbrel ls' shows.")
      }
      return try existing(ObjectID(rawValue: number), name)
    }
    let key = try PropertyValue(text: name, for: resolved.properties[position])
    guard let id = try find(key) else {
      throw InspectionError.noSuchObject(
        name, class: self.name,
        "no object has this primary key, \(PlainText.quoted(resolved.properties[position].name))")
    }
    return id
  }

  private func existing(_ id: ObjectID, _ name: String) throws -> ObjectID {
    guard try record(id) != nil else {
      throw InspectionError.noSuchObject(name, class: self.name, "no object has this object ID")
    }
    return id
  }

  /// The name of an object: its primary key, or `#` and its object ID. It is not escaped.
  package func objectName(_ id: ObjectID) throws -> String {
    guard let position = resolved.primaryKeyIndex, let record = try record(id) else {
      return "#\(id.rawValue)"
    }
    switch try value(position, of: record, id) {
    case .string(let text): return text
    case .int(let number): return "\(number)"
    case .uuid(let uuid): return uuid.uuidString
    case .objectId(let key): return key.description
    default: return "#\(id.rawValue)"
    }
  }
}
