internal import Foundation
internal import WhimbrelEngine

/// The values by which an edit can be taken back: those that it replaced, and those that it left.
///
/// ``StoreEdit/runReversibly(_:_:)`` gives the reversal of an edit. Taking it back happens in one
/// transaction. It restores the old values, the removed objects with their former IDs, the embedded
/// objects that went with them, and the links that led to them, and removes the added objects. If
/// anything has changed one of these objects since the edit, it is refused, so it never overwrites the
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
  /// The objects, in the order in which the edit came to them.
  let objects: [RecordedObject]

  /// The number of objects, embedded ones included.
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
  /// The values before the edit of the properties that it may have changed, or nil if the edit added
  /// the object.
  var before: [PropertyID: RecordedValue]?
  /// The values of the same properties after the edit, or nil if the edit removed the object.
  var after: [PropertyID: RecordedValue]?
}

extension RecordedObject {
  /// Whether the edit has left the object as it was, or has added and then removed it.
  var isUnchanged: Bool {
    switch (before, after) {
    case (nil, nil): true
    case (let before?, _?): before.isEmpty
    default: false
    }
  }

  /// Drops the values that the edit has left as they were. Others may change them.
  mutating func dropUnchanged() {
    guard let before, let after else { return }
    let changed = before.filter { property, value in
      after[property]?.value.isIdentical(to: value.value) != true
    }
    self.before = changed
    self.after = after.filter { changed[$0.key] != nil }
  }
}

/// A value with the property that it is of.
struct RecordedValue: Sendable {
  let property: String
  let type: PropertyType
  let value: PropertyValue
}

extension PropertyValue {
  /// About how many bytes of memory the value takes.
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
