import WhimbrelEngine
import WhimbrelLMDB

extension DumpClasses {
  /// Calls `body` with each element, in the order that the store loaded from the dump will have.
  ///
  /// Only sets of any type that hold objects need reordering: they are sorted by class number, and
  /// loading assigns new numbers to the classes.
  func forEachElement(
    of reader: CollectionReader, _ type: PropertyType,
    _ body: (String, PropertyValue) throws -> Void
  ) throws {
    guard case .set(let element) = type, element.type == .any, !isInOrder else {
      return try reader.forEach(body)
    }
    func visit(_ range: Range<Int>) throws {
      for position in range { try body("", reader.value(at: position)) }
    }
    func start(_ classID: UInt32) throws -> Int {
      let first = ObjectReference(
        classID: ClassID(rawValue: classID), id: ObjectID(rawValue: 0))
      return try reader.place(of: .object(first)).position
    }
    let firstObject = try start(0)
    let firstCollection = try reader.place(of: .list([])).position
    try visit(0..<firstObject)
    var objects = 0
    for number in numbers {
      let first = try start(number.rawValue)
      // A damaged set may be out of order; binary search can then return any position.
      let range = first..<max(first, try start(number.rawValue + 1))
      try visit(range)
      objects += range.count
    }
    if objects < firstCollection - firstObject {
      // Some objects belong to no known class. `renumbered` throws for the first of them.
      for position in firstObject..<firstCollection {
        _ = try renumbered(reader.value(at: position))
      }
    }
    // Lists and maps in a set may contain objects at any depth, so they are renumbered and sorted
    // as a whole.
    let collections = try (firstCollection..<reader.count).map { position in
      let value = try reader.value(at: position)
      return (value: value, order: try renumbered(value))
    }
    for (value, _) in collections.sorted(by: { $0.order.precedes($1.order) }) {
      try body("", value)
    }
  }

  /// Returns a value as a dump has it: a set of any type in the order of the loaded store, without
  /// duplicates.
  ///
  /// Duplicates come from trimming: two different lists may be equal without their outgoing links.
  func ordered(_ value: PropertyValue, as type: PropertyType) throws -> PropertyValue {
    guard case .set(let element) = type, element.type == .any, case .list(let elements) = value
    else { return value }
    let sorted = try elements.map { (value: $0, order: try renumbered($0)) }
      .sorted { $0.order.precedes($1.order) }
    var kept: [(value: PropertyValue, order: PropertyValue)] = []
    for element in sorted where kept.last.map({ $0.order.precedes(element.order) }) ?? true {
      kept.append(element)
    }
    return .list(kept.map(\.value))
  }
}
