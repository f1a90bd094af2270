internal import WhimbrelEngine

/// The classes of a store by class number.
///
/// A dump does not contain class numbers. Loading a dump numbers the classes by name, and sets keep
/// objects of several classes in the order of these numbers. A dump therefore writes sets in the
/// order that the loaded store will have.
struct DumpClasses {
  /// The class numbers, in the order of the class names.
  let numbers: [ClassID]
  /// Whether the class numbers ascend with the class names, so that sets need no reordering.
  let isInOrder: Bool
  private let targets: [ClassID: DumpTarget]
  private let targetsByName: [String: DumpTarget]
  private let numbersByName: [ClassID: ClassID]

  /// - Parameter tables: The classes, sorted by name.
  init(_ tables: [ClassTable]) {
    numbers = tables.map(\.resolved.id)
    isInOrder = zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
    var targets: [ClassID: DumpTarget] = [:]
    var targetsByName: [String: DumpTarget] = [:]
    var numbersByName: [ClassID: ClassID] = [:]
    for (index, table) in tables.enumerated() {
      let target = DumpTarget(table)
      targets[table.resolved.id] = target
      targetsByName[table.name] = target
      numbersByName[table.resolved.id] = ClassID(rawValue: UInt32(index + 1))
    }
    self.targets = targets
    self.targetsByName = targetsByName
    self.numbersByName = numbersByName
  }

  func target(of classID: ClassID) throws -> DumpTarget {
    guard let target = targets[classID] else { throw UnknownClass(classID: classID) }
    return target
  }

  /// Returns the class that the links of a property lead to, or nil if the property has no links.
  func target(of type: PropertyType) -> DumpTarget? {
    type.linkedClass.flatMap { targetsByName[$0] }
  }

  /// Returns the value with the class numbers that its objects will have in the loaded store.
  func renumbered(_ value: PropertyValue) throws -> PropertyValue {
    switch value {
    case .object(let reference):
      guard let number = numbersByName[reference.classID] else {
        throw UnknownClass(classID: reference.classID)
      }
      return .object(ObjectReference(classID: number, id: reference.id))
    case .list(let elements): return .list(try elements.map(renumbered))
    case .map(let elements): return .map(try elements.mapValues(renumbered))
    default: return value
    }
  }
}

/// An error: a value leads to an object of a class that is not in the catalog.
struct UnknownClass: Error {
  let classID: ClassID
}

extension ClassTable {
  /// Runs `body`. Turns an ``UnknownClass`` into an error that names the object that leads to it.
  func explainingClasses<Result>(
    of id: ObjectID, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as UnknownClass {
      throw damagedRecord(
        id, "it leads to an object of class \(error.classID.rawValue), which does not exist")
    }
  }
}
