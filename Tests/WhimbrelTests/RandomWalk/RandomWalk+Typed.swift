import Foundation
import Whimbrel
import WhimbrelTesting

extension RandomWalk {
  /// Does something by way of the models.
  func operateTyped() throws {
    switch values.number(0..<100) {
    case 0..<20: try setTyped()
    case 20..<35: try addGraph()
    case 35..<55: try changeTypedList()
    case 55..<65: try changeTypedSet()
    case 65..<75: try changeTypedMap()
    case 75..<88: try changeTypedParts()
    default: try setTypedAny()
    }
  }

  /// The model object of a class with an ID.
  func model<Object: WalkModel>(
    _ type: Object.Type, _ reference: Reference
  ) throws -> Object {
    guard let object = store.objects(type).first(where: { $0.objectID == reference.id }) else {
      throw failure("\(reference) is not among the objects")
    }
    return object
  }

  private func some<Object: WalkModel>(
    _ type: Object.Type
  ) throws -> (object: Object, reference: Reference)? {
    guard let reference = values.existing(oracle, Object._$schema.name) else { return nil }
    return (try model(type, reference), reference)
  }

  /// Compares what the models show with what is expected.
  func checkTyped() throws {
    for shape in oracle.shapes {
      switch shape.name {
      case "Scalars": try checkTyped(Walk.Scalars.self)
      case "Hub": try checkTyped(Walk.Hub.self)
      case "Named": try checkTyped(Walk.Named.self)
      case "Numbered": try checkTyped(Walk.Numbered.self)
      case "Tagged": try checkTyped(Walk.Tagged.self)
      case "Marked": try checkTyped(Walk.Marked.self)
      case "Bag": try checkTyped(Walk.Bag.self)
      case "Part": try checkTyped(Walk.Part.self)
      default: try checkTyped(Walk.Leaf.self)
      }
    }
  }

  private func checkTyped<Object: WalkModel>(_ type: Object.Type) throws {
    let name = Object._$schema.name
    var ids: [ObjectID] = []
    for object in store.objects(type) {
      guard let id = object.objectID else { throw failure("an object has no ID") }
      ids.append(id)
      try check(object, Reference(className: name, id: id))
    }
    try require(
      Set(ids) == Set(oracle.ids(name)) && ids.count == oracle.count(name),
      "the results of \(name) have \(ids)")
  }

  private func check(_ object: some WalkModel, _ reference: Reference) throws {
    for (property, found) in object.typedValues {
      let expected = oracle.value(reference, property)
      try require(
        found.isExactly(expected),
        "'\(property)' of the model \(reference) is \(found) instead of \(expected)")
    }
    for (className, property, ids) in object.inverses {
      let expected = oracle.sources(className, property, to: reference)
      try require(ids == expected, "\(className).\(property) of \(reference) is from \(ids)")
    }
  }

  // MARK: Properties

  private func setTyped() throws {
    if values.happens(percent: 30) { return try setTypedLink() }
    guard let (object, reference) = try some(Walk.Scalars.self) else { return }
    let property = values.pick(oracle.shape("Scalars").properties)
    let value = values.value(of: property, oracle)
    note("typed: set '\(property.name)' of \(reference) to \(value)")
    Walk.Scalars.setters[property.name]?(object, value)
    oracle.set(reference, property.name, to: value)
    try check(object, reference)
  }

  private func setTypedLink() throws {
    guard let (hub, reference) = try some(Walk.Hub.self) else { return }
    let next = values.happens(percent: 70) ? try some(Walk.Hub.self) : nil
    let named = values.happens(percent: 70) ? try some(Walk.Named.self) : nil
    note("typed: link \(reference) to \(String(describing: next)), \(String(describing: named))")
    hub.next = next?.object
    hub.named = named?.object
    oracle.set(reference, "next", to: next.map { .link($0.reference.id) } ?? .null)
    oracle.set(reference, "named", to: named.map { .link($0.reference.id) } ?? .null)
    try require(hub.next == next?.object, "the next of \(reference) is another")
  }

  private func setTypedAny() throws {
    guard let (marked, reference) = try some(Walk.Marked.self) else { return }
    let hub = try some(Walk.Hub.self)
    let number = values.number(-5..<5)
    let text = values.text()
    var value = AnyValue.list([.int(number), .map(["text": .string(text)]), .none])
    var expected = PropertyValue.list([.int(Int64(number)), .map(["text": .string(text)]), .null])
    if let hub, values.happens(percent: 60) {
      value = .map(["hub": .object(hub.object), "more": value])
      expected = .map(["hub": oracle.link(to: hub.reference), "more": expected])
    }
    note("typed: set a value of \(reference) to \(expected)")
    switch values.number(0..<4) {
    case 0:
      marked.any = value
      oracle.set(reference, "any", to: expected)
    case 1:
      marked.list.append(value)
      oracle.set(reference, "list", to: .list(oracle.elements(reference, "list") + [expected]))
    case 2:
      let isNew = marked.set.insert(value)
      var elements = oracle.elements(reference, "set")
      try require(isNew == elements.insertAsSet(expected), "the set of \(reference) differs")
      oracle.set(reference, "set", to: .list(elements))
    default:
      let name = values.name()
      marked.map[name] = value
      var map = oracle.map(reference, "map")
      map.replaceValue(expected, forKey: name)
      oracle.set(reference, "map", to: .map(map))
    }
    try check(marked, reference)
  }

  // MARK: Collections

  private func changeTypedList() throws {
    guard let (bag, reference) = try some(Walk.Bag.self) else { return }
    let list = bag.ints
    var expected = list.map { $0 }
    let known = oracle.elements(reference, "ints").map { PropertyValue.int(Int64($0.number)) }
    try require(expected.map(\.propertyValue) == known, "the list of \(reference) differs")
    let new = (0..<values.number(0..<6)).map { _ in values.number(-9..<9) }
    let (low, high) = (values.number(0..<expected.count + 1), values.number(0..<expected.count + 1))
    let range = min(low, high)..<max(low, high)
    let choice = values.number(0..<12)
    note("typed: change \(choice) of the list of \(reference) by \(new) in \(range)")
    switch choice {
    case 0: list.append(contentsOf: new)
    case 1: list.replaceSubrange(range, with: new)
    case 2: list.removeSubrange(range)
    case 3: list.insert(contentsOf: new, at: low)
    case 4: list.sort()
    case 5: list.reverse()
    case 6: list.removeAll { $0 % 2 == 0 }
    case 7 where !range.isEmpty: list.swapAt(range.lowerBound, range.upperBound - 1)
    case 8: list.move(fromOffsets: IndexSet(integersIn: range), toOffset: expected.count)
    case 9: bag.ints = StoredList(new)
    case 10: bag.ints = list
    default: list.removeAll()
    }
    switch choice {
    case 0: expected.append(contentsOf: new)
    case 1: expected.replaceSubrange(range, with: new)
    case 2: expected.removeSubrange(range)
    case 3: expected.insert(contentsOf: new, at: low)
    case 4: expected.sort()
    case 5: expected.reverse()
    case 6: expected.removeAll { $0 % 2 == 0 }
    case 7 where !range.isEmpty: expected.swapAt(range.lowerBound, range.upperBound - 1)
    case 8:
      let moved = expected[range]
      expected.removeSubrange(range)
      expected += moved
    case 9: expected = new
    case 10: break
    default: expected = []
    }
    oracle.set(reference, "ints", to: .list(expected.map(\.propertyValue)))
    try require(bag.ints.elementsEqual(expected), "the list of \(reference) differs")
  }

  private func changeTypedSet() throws {
    guard let (bag, reference) = try some(Walk.Bag.self) else { return }
    let set = bag.optionalStrings
    let new = (0..<values.number(0..<5)).map { _ in
      values.happens(percent: 20) ? nil : values.text()
    }
    let elements = new.map(\.propertyValue)
    var expected = oracle.elements(reference, "optionalStrings")
    let choice = values.number(0..<5)
    note("typed: change \(choice) of the set of \(reference) by \(elements)")
    switch choice {
    case 0:
      set.formUnion(new)
      for value in elements { _ = expected.insertAsSet(value) }
    case 1:
      set.subtract(new)
      expected.removeAll { value in elements.contains { $0.isSame(as: value) } }
    case 2:
      set.formIntersection(new)
      expected.removeAll { value in !elements.contains { $0.isSame(as: value) } }
    case 3:
      set.formSymmetricDifference(new)
      for value in elements.asSet {
        if let place = expected.firstIndex(where: { $0.isSame(as: value) }) {
          expected.remove(at: place)
        } else {
          _ = expected.insertAsSet(value)
        }
      }
    default:
      bag.optionalStrings = StoredSet(new)
      expected = elements.asSet
    }
    oracle.set(reference, "optionalStrings", to: .list(expected))
    try check(bag, reference)
  }

  private func changeTypedMap() throws {
    guard let (bag, reference) = try some(Walk.Bag.self) else { return }
    let map = bag.levels
    var expected = oracle.map(reference, "levels")
    let name = values.name()
    let level: Walk.Level? = values.pick([.low, .high, nil])
    note("typed: change the map of \(reference) at '\(name)' to \(String(describing: level))")
    switch values.number(0..<4) {
    case 0:
      map[name] = .some(level)
      expected.replaceValue(level.propertyValue, forKey: name)
    case 1:
      map.removeObject(for: name)
      expected[name] = nil
    case 2:
      let old = map.updateValue(level, forKey: name)
      try require(
        old.map(\.propertyValue) == expected[name], "the old value of '\(name)' is another")
      expected.replaceValue(level.propertyValue, forKey: name)
    default:
      bag.levels = [name: level, "second": .middle]
      expected = [name: level.propertyValue]
      expected.replaceValue(Walk.Level.middle.propertyValue, forKey: "second")
    }
    oracle.set(reference, "levels", to: .map(expected))
    try check(bag, reference)
  }
}

extension PropertyValue {
  fileprivate var number: Int {
    if case .int(let number) = self { Int(number) } else { 0 }
  }
}
