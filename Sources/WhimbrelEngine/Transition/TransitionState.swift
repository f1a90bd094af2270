package import Foundation
package import WhimbrelLMDB

/// An object that a rule left without a value, which then got the default.
public struct UnsetObject: Hashable, Sendable, Codable {
  /// The class of the object.
  public let className: String
  /// The object.
  public let objectID: ObjectID
  /// The primary key of the object as text, or nil if it has none.
  public let primaryKey: String?
  /// The properties that got their defaults.
  public let properties: [String]
}

/// The state of a transition besides the objects themselves: a value in the main table, as
/// JSON.
package struct TransitionState: Hashable, Sendable, Codable {
  /// The progress of a walk through the objects of a class.
  package struct Walk: Hashable, Sendable, Codable {
    package let classID: ClassID
    /// The objects up to this one are converted; nil if none was looked at.
    package var last: ObjectID?
    /// How many objects were looked at.
    package var visited = 0
    /// How many objects were written converted.
    package var converted = 0
    /// How many objects there were in the beginning.
    package var total: Int
    /// The objects that could not be converted, the first of them.
    package var failed: [ObjectID] = []
    /// Whether the last object was looked at.
    package var isOver = false

    init(classID: ClassID, total: Int) {
      self.classID = classID
      self.total = total
    }
  }

  /// The date of the beginning.
  package var start: Date
  package var walks: [Walk]
  /// How many objects got a default because a rule has not set a property.
  package var unsetCount = 0
  /// The first of them.
  package var unset: [UnsetObject] = []

  /// The limit on the objects that are listed.
  static let listLimit = 100
}

extension TransitionState {
  /// Returns what a file says of its transition, or nil.
  package init?(in view: ReadView) throws {
    guard let bytes = try view.value(.main, MainKey.transition) else { return nil }
    do {
      self = try JSONDecoder().decode(TransitionState.self, from: bytes.data)
    } catch {
      // It counts and lists, and knows where to go on. Without it the walk begins anew.
      return nil
    }
  }

  func put(in view: WriteView) throws {
    try view.put(.main, MainKey.transition, json())
  }

  func json() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return Array(try encoder.encode(self))
  }

  mutating func add(_ notes: TransitionNotes) {
    unsetCount += notes.count
    unset = Array((unset + notes.objects).prefix(Self.listLimit))
  }
}

/// The findings of a write about objects that it converted.
struct TransitionNotes {
  private(set) var count = 0
  private(set) var objects: [UnsetObject] = []

  mutating func add(_ object: UnsetObject) {
    count += 1
    if objects.count < TransitionState.listLimit { objects.append(object) }
  }
}
