internal import WhimbrelEngine
internal import WhimbrelInspection

/// The number of an object among all objects of a store: class by class in name order, and by ID
/// within a class.
struct ObjectNumber: Hashable, Comparable {
  let rawValue: UInt32

  init(_ rawValue: UInt32) { self.rawValue = rawValue }

  init(_ index: Int) { rawValue = UInt32(truncatingIfNeeded: index) }

  var index: Int { Int(rawValue) }

  static func < (left: ObjectNumber, right: ObjectNumber) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// A numbering of the objects of a store, so that facts about each object can be kept in arrays.
///
/// - Complexity: 8 bytes of memory for each object.
struct ObjectNumbers {
  /// The classes, sorted by name.
  let tables: [ClassTable]
  /// The number of the first object of each class, and the end of the last class.
  private let starts: [Int]
  private let ids: [[ObjectID]]
  private let classes: [ClassID: Int]

  /// - Throws: ``InspectionError`` with `tooManyObjects`, and `StoreError`.
  init(_ tables: [ClassTable]) throws {
    self.tables = tables
    ids = try tables.map { try $0.objectIDs() }
    var starts = [0]
    for list in ids { starts.append((starts.last ?? 0) + list.count) }
    self.starts = starts
    classes = Dictionary(keepingFirst: tables.enumerated().map { ($1.resolved.id, $0) })
    if let count = starts.last, count >= UInt32.max {
      throw InspectionError.tooManyObjects(count)
    }
  }

  var count: Int { starts.last ?? 0 }

  /// Returns the numbers of the objects of a class.
  func range(of classIndex: Int) -> Range<Int> { starts[classIndex]..<starts[classIndex + 1] }

  func classIndex(_ id: ClassID) -> Int? { classes[id] }

  func classIndex(of object: ObjectNumber) -> Int {
    // An empty class begins where the next class begins. The search returns the last of these,
    // which has the object.
    starts.partitionPoint { $0 > object.index } - 1
  }

  func id(of object: ObjectNumber, in classIndex: Int) -> ObjectID {
    ids[classIndex][object.index - starts[classIndex]]
  }

  /// Returns the number of the object with an ID, or nil.
  ///
  /// - Complexity: O(1) if no earlier object was ever deleted, else O(log *n*).
  func number(of id: ObjectID, in classIndex: Int) -> ObjectNumber? {
    let list = ids[classIndex]
    guard let first = list.first, id >= first else { return nil }
    let (start, distance) = (starts[classIndex], id.rawValue - first.rawValue)
    if distance < UInt64(list.count), list[Int(distance)] == id {
      return ObjectNumber(start + Int(distance))
    }
    let place = list.partitionPoint { $0 >= id }
    return place < list.count && list[place] == id ? ObjectNumber(start + place) : nil
  }
}
