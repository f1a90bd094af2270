/// A table of numbers by object ID, such as the positions of objects in an order.
///
/// The IDs of a class are mostly dense. Then a number takes four bytes in an array that is indexed
/// by ID. Otherwise the table is a dictionary.
struct PlaceTable {
  private var first: UInt64 = 0
  /// The numbers from the first ID on, or -1 if an ID has none.
  private var dense: [Int32] = []
  private var sparse: [ObjectID: Int] = [:]

  /// The maximum number of array elements per ID.
  private static let sparsest: UInt64 = 16

  /// Creates a table with room for some IDs, without numbers.
  ///
  /// - Parameter limit: The limit on the numbers.
  /// - Complexity: O(*n*).
  init(_ ids: some Collection<ObjectID>, upTo limit: Int) {
    guard var first = ids.first?.rawValue else { return }
    var last = first
    for id in ids {
      first = min(first, id.rawValue)
      last = max(last, id.rawValue)
    }
    let isDense = (last - first) / Self.sparsest <= UInt64(ids.count) && limit <= Int32.max
    if isDense {
      self.first = first
      dense = Array(repeating: -1, count: Int(last - first) + 1)
    } else {
      sparse.reserveCapacity(ids.count)
    }
  }

  /// The number of an ID, or nil. It can be set only for the IDs that the table was created for.
  subscript(id: ObjectID) -> Int? {
    @inline(__always) get {
      let place = id.rawValue &- first
      if place < UInt64(dense.count) {
        let number = dense[Int(place)]
        return number < 0 ? nil : Int(number)
      }
      return sparse.isEmpty ? nil : sparse[id]
    }
    @inline(__always) set {
      let place = id.rawValue &- first
      if place < UInt64(dense.count) {
        dense[Int(place)] = newValue.map { Int32($0) } ?? -1
      } else {
        sparse[id] = newValue
      }
    }
  }
}
