package import Foundation
package import WhimbrelLMDB

/// An object that got a default because a rule did not set a property.
public struct UnsetObject: Hashable, Sendable, Codable {
  /// The class of the object.
  public let className: String
  /// The ID of the object.
  public let objectID: ObjectID
  /// The primary key of the object as text, or nil if it has none.
  public let primaryKey: String?
  /// The properties that got their defaults.
  public let properties: [String]
}

/// The state of a transition, apart from the objects themselves. It is stored in the main table as
/// JSON.
package struct TransitionState: Hashable, Sendable, Codable {
  /// An object that could not be converted.
  package struct Failed: Hashable, Sendable, Codable {
    package let id: ObjectID
    /// The primary key of the object as text, or nil if it has none or cannot be read.
    package let primaryKey: String?
  }

  /// The progress of a walk through the objects of a class.
  package struct Walk: Hashable, Sendable, Codable {
    package let classID: ClassID
    /// The last object that was visited, or nil. The objects up to it are converted, except
    /// those that could not be converted.
    package var last: ObjectID?
    /// The number of objects that were visited.
    package var visited = 0
    /// The number of objects that were converted and written.
    package var converted = 0
    /// The number of objects at the beginning.
    package var total: Int
    /// The first objects that could not be converted.
    package private(set) var failed: [Failed] = []
    /// The number of further objects that could not be converted, or nil if ``failed`` has them all.
    private var unlisted: Int?
    /// Whether all objects were visited.
    package var isOver = false

    init(classID: ClassID, total: Int) {
      self.classID = classID
      self.total = total
    }

    /// The number of objects that could not be converted.
    package var failedCount: Int { failed.count + (unlisted ?? 0) }

    mutating func addFailed(_ object: Failed) {
      if failed.count < listLimit {
        failed.append(object)
      } else {
        unlisted = (unlisted ?? 0) + 1
      }
    }

    mutating func forgetFailed() { (failed, unlisted) = ([], nil) }

    /// Whether the counts are possible. A damaged file can contain any.
    fileprivate var isPossible: Bool {
      [visited, converted, total, unlisted ?? 0].allSatisfy(Catalog.objectCounts.contains)
    }
  }

  /// The date of the beginning.
  package var start: Date
  package var walks: [Walk]
  /// The number of objects that got a default because a rule did not set a property.
  package var unsetCount = 0
  /// The first objects that got a default.
  package var unset: [UnsetObject] = []

  /// The limit on the objects that are listed.
  static let listLimit = 100
  /// The limit on the walks accepted from a file. The sum of as many counts does not overflow.
  private static let walkLimit = 1 << 14

  /// Whether the numbers are possible.
  private var isPossible: Bool {
    walks.count <= Self.walkLimit && walks.allSatisfy(\.isPossible)
      && Catalog.objectCounts.contains(unsetCount)
  }
}

extension TransitionState {
  /// Reads the state from a file. Nil if there is none, if it cannot be decoded, or if its numbers
  /// are impossible.
  package init?(in view: ReadView) throws {
    // The state only counts, lists, and marks a position. Without it the walk begins again.
    guard let bytes = try view.value(.main, MainKey.transition),
      let state = try? JSONDecoder().decode(TransitionState.self, from: bytes.data),
      state.isPossible
    else { return nil }
    self = state
  }

  func put(in view: WriteView) throws {
    try view.put(.main, MainKey.transition, json())
  }

  func json() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return Array(try encoder.encode(self))
  }

  /// Whether all objects of a class were visited, and some could not be converted.
  var hasFailed: Bool { walks.contains { !$0.failed.isEmpty && $0.isOver } }

  mutating func add(_ notes: TransitionNotes) {
    unsetCount += notes.count
    unset = Array((unset + notes.objects).prefix(Self.listLimit))
  }
}

/// The objects that a write has converted and that got a default.
struct TransitionNotes {
  private(set) var count = 0
  private(set) var objects: [UnsetObject] = []

  mutating func add(_ object: UnsetObject) {
    count += 1
    if objects.count < TransitionState.listLimit { objects.append(object) }
  }
}
