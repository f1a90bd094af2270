internal import WhimbrelEngine

/// The classes of a store by their numbers, which a dump does not tell.
///
/// A store that is loaded from a dump numbers its classes by name. Sets keep the
/// objects of several classes in the order of these numbers, so a dump writes
/// them in the order that they have then.
struct DumpClasses {
  /// The numbers of the classes, in the order of the names.
  let numbers: [ClassID]
  /// Whether that is the order of the numbers too.
  let isInOrder: Bool
  private let targets: [ClassID: DumpTarget]
  private let targetsByName: [String: DumpTarget]
  private let numbersByName: [ClassID: ClassID]

  /// - Parameter tables: the classes, sorted by name.
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

  /// The class with a number.
  func target(of classID: ClassID) throws -> DumpTarget {
    guard let target = targets[classID] else { throw UnknownClass(classID: classID) }
    return target
  }

  /// The class that the links of a property lead to; nil for a property of any other type.
  func target(of type: PropertyType) -> DumpTarget? {
    type.linkedClass.flatMap { targetsByName[$0] }
  }

  /// The value with the numbers that its classes have in a store that is loaded.
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

/// A value leads to an object of a class that is not in the catalog.
struct UnknownClass: Error {
  let classID: ClassID
}

extension ClassTable {
  /// Runs `body`, and says of an ``UnknownClass`` which object leads to it.
  func explainingClasses<Result>(
    of id: ObjectID, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as UnknownClass {
      throw damagedRecord(
        id, "it leads to an object of class \(error.classID.rawValue), which is not there")
    }
  }
}
