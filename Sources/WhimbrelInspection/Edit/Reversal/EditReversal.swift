internal import Foundation
internal import WhimbrelEngine

/// The reversal of an edit. It holds the values that the edit replaced and the values that it
/// wrote.
///
/// ``StoreEdit/runReversibly(_:objectLimit:confirm:_:)`` returns the reversal of an edit. An edit is
/// taken back in one transaction, which restores the old values, the removed objects with their
/// former IDs, their embedded objects, and the links to them. It removes the added objects. If one
/// of these objects has changed since the edit, the reversal is refused, so it never overwrites the
/// work of others. Other objects and other properties may have changed.
///
/// ```swift
/// let edit = StoreEdit(path: path, [.remove(class: "Zone", .named(["Europe/Paris"]))])
/// let (_, reversal) = try edit.runReversibly(.write(backup: nil)) { _ in }
/// if let reversal {
///   try StoreEdit(path: path, takingBack: reversal).run(.write(backup: nil)) { _ in }
/// }
/// ```
package struct EditReversal: Sendable {
  /// The limit of objects.
  package static let objectLimit = 10_000
  /// The limit of the memory for values, in bytes.
  package static let byteLimit = 64 << 20

  /// The store that was edited.
  let store: UUID
  /// The objects, in the order in which the edit visited them.
  let objects: [RecordedObject]

  /// The number of objects, including embedded ones.
  package var count: Int { objects.count }

  /// The reversal of this reversal, after it was performed.
  var inverse: EditReversal {
    EditReversal(
      store: store,
      objects: objects.reversed().map { object in
        var inverse = object
        (inverse.before, inverse.after) = (object.after, object.before)
        return inverse
      })
  }
}

/// An object before and after an edit.
struct RecordedObject: Sendable {
  let className: String
  let reference: ObjectReference
  /// The earlier values of the properties that the edit may have changed, or nil if the edit added
  /// the object.
  var before: [PropertyID: RecordedValue]?
  /// The values of the same properties after the edit, or nil if the edit removed the object.
  var after: [PropertyID: RecordedValue]?
}

extension RecordedObject {
  /// Whether the edit did not change the object, or added it and then removed it.
  var isUnchanged: Bool {
    switch (before, after) {
    case (nil, nil): true
    case (let before?, _?): before.isEmpty
    default: false
    }
  }

  /// Removes the values that the edit did not change, so that others may change them.
  mutating func dropUnchanged() {
    guard let before, let after else { return }
    let changed = before.filter { property, value in
      after[property]?.value.isIdentical(to: value.value) != true
    }
    self.before = changed
    self.after = after.filter { changed[$0.key] != nil }
  }
}

/// A value and its property.
struct RecordedValue: Sendable {
  let property: String
  let type: PropertyType
  let value: PropertyValue
}

extension PropertyValue {
  /// The approximate size of the value in memory, in bytes.
  var memorySize: Int {
    switch self {
    case .string(let text): 48 + text.utf8.count
    case .data(let data): 48 + data.count
    case .list(let elements): elements.reduce(48) { $0 + $1.memorySize }
    case .map(let elements):
      elements.reduce(48) { $0 + 32 + $1.key.utf8.count + $1.value.memorySize }
    default: 32
    }
  }
}
