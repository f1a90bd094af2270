internal import WhimbrelEngine

/// A merge walk over the objects of a class in two stores.
struct ObjectMerge {
  private let pair: ClassPair
  private let order: ObjectWalk.Order

  /// The presence of an object in the stores.
  enum Place {
    case old(ObjectWalk.Entry)
    case new(ObjectWalk.Entry)
    case both(ObjectWalk.Entry, ObjectWalk.Entry)
  }

  /// - Parameter order: The order of the walk. The default is the order of the pair.
  init(_ pair: ClassPair, by order: ObjectWalk.Order? = nil) {
    self.pair = pair
    self.order = order ?? pair.order
  }

  /// Calls `body` with each object in the order of the keys or IDs, until it returns false.
  ///
  /// - Complexity: O(*n* log *n*), in memory for two objects.
  func forEach(_ body: (Place) throws -> Bool) throws {
    var before = try pair.old.map { try ObjectWalk($0, by: order) }
    var after = try pair.new.map { try ObjectWalk($0, by: order) }
    var left = try before?.next()
    var right = try after?.next()
    while true {
      let place: Place
      switch (left, right) {
      case (nil, nil): return
      case (let entry?, nil): place = .old(entry)
      case (nil, let entry?): place = .new(entry)
      case (let old?, let new?):
        if old.key == new.key {
          place = .both(old, new)
        } else {
          place = old.key.lexicographicallyPrecedes(new.key) ? .old(old) : .new(new)
        }
      }
      guard try body(place) else { return }
      switch place {
      case .old: left = try before?.next()
      case .new: right = try after?.next()
      case .both:
        left = try before?.next()
        right = try after?.next()
      }
    }
  }
}
