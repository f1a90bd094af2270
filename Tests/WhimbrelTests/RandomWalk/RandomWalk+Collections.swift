import Foundation
import Whimbrel
import WhimbrelTesting

extension RandomWalk {
  /// Changes a collection that owns nothing, element by element.
  func changeCollection() throws {
    let candidates = oracle.shapes.filter { shape in
      oracle.count(shape.name) > 0 && !collections(of: shape).isEmpty
    }
    guard !candidates.isEmpty else { return }
    let shape = values.pick(candidates)
    guard let reference = values.existing(oracle, shape.name) else { return }
    let property = values.pick(collections(of: shape))
    switch property.type {
    case .list: try changeList(reference, property)
    case .set: try changeSet(reference, property)
    default: try changeMap(reference, property)
    }
  }

  private func collections(of shape: ObjectOracle.Shape) -> [PropertySchema] {
    let owned = Set(shape.owned.map(\.position))
    return shape.properties.enumerated()
      .filter { !owned.contains($0) && $1.type.isCollection }.map(\.element)
  }

  // MARK: Lists

  private func changeList(_ reference: Reference, _ property: PropertySchema) throws {
    let list = try object(reference).list(property.name)
    var expected = oracle.elements(reference, property.name)
    // Collections of more than a record takes stay for a while, and then shrink.
    let bias = expected.count > 60 ? 40 : 0
    try changeList(list, property, &expected, values.number(0..<100) + bias)
    oracle.set(reference, property.name, to: .list(expected))
    try require(try list.count() == expected.count, "the list has not \(expected.count) elements")
  }

  private func changeList(
    _ list: DynamicList, _ property: PropertySchema, _ expected: inout [PropertyValue],
    _ choice: Int
  ) throws {
    let count = expected.count
    switch choice {
    case 0..<45:
      let new = values.elements(of: property, count: values.size(), oracle)
      note("append \(new) to '\(property.name)'")
      try list.append(contentsOf: new)
      expected += new
    case 45..<60:
      guard let new = values.element(of: property, oracle) else { return }
      let place = values.number(0..<count + 1)
      note("insert \(new) at \(place) of '\(property.name)'")
      try list.insert(new, at: place)
      expected.insert(new, at: place)
    case 60..<75 where count > 0:
      guard let new = values.element(of: property, oracle) else { return }
      let place = values.number(0..<count)
      note("replace \(place) of '\(property.name)' by \(new)")
      try list.replace(at: place, with: new)
      expected[place] = new
    case 75..<85 where count > 0:
      let (source, target) = (values.number(0..<count), values.number(0..<count))
      note("move \(source) of '\(property.name)' to \(target)")
      try list.move(from: source, to: target)
      expected.insert(expected.remove(at: source), at: target)
    case 85..<100 where count > 0:
      let place = values.number(0..<count)
      note("remove \(place) of '\(property.name)'")
      try list.remove(at: place)
      expected.remove(at: place)
    default:
      note("remove all of '\(property.name)'")
      try list.removeAll()
      expected = []
    }
  }

  // MARK: Sets

  private func changeSet(_ reference: Reference, _ property: PropertySchema) throws {
    let set = try object(reference).set(property.name)
    var expected = oracle.elements(reference, property.name)
    switch values.number(0..<100) + (expected.count > 60 ? 60 : 0) {
    case 0..<60:
      for new in values.elements(of: property, count: values.size(), oracle) {
        note("insert \(new) into '\(property.name)' of \(reference)")
        let isNew = try set.insert(new)
        try require(
          isNew == expected.insertAsSet(new), "inserting \(new) into the set gave \(isNew)")
      }
    case 60..<95:
      let old =
        values.happens(percent: 60) && !expected.isEmpty
        ? values.pick(expected) : values.element(of: property, oracle)
      guard let old else { return }
      note("remove \(old) from '\(property.name)' of \(reference)")
      let place = expected.firstIndex { $0.isSame(as: old) }
      try require(try set.contains(old) == (place != nil), "\(old) is not where it should be")
      try require(try set.remove(old) == (place != nil), "removing \(old) did not go well")
      if let place { expected.remove(at: place) }
    default:
      note("remove all of '\(property.name)' of \(reference)")
      try set.removeAll()
      expected = []
    }
    oracle.set(reference, property.name, to: .list(expected))
  }

  // MARK: Maps

  private func changeMap(_ reference: Reference, _ property: PropertySchema) throws {
    let map = try object(reference).map(property.name)
    var expected = oracle.map(reference, property.name)
    switch values.number(0..<100) + (expected.count > 60 ? 60 : 0) {
    case 0..<60:
      for new in values.elements(of: property, count: values.size(), oracle) {
        let name = values.name()
        note("set '\(name)' in '\(property.name)' of \(reference) to \(new)")
        try map.set(new, forKey: name)
        expected.replaceValue(new, forKey: name)
      }
    case 60..<95:
      let names = expected.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      let name =
        values.happens(percent: 60) && !names.isEmpty ? values.pick(names) : values.name()
      note("remove '\(name)' from '\(property.name)' of \(reference)")
      let old = expected.removeValue(forKey: name)
      let found = try map.value(forKey: name)
      try require(
        found.map { $0.isExactly(old ?? .null) } ?? (old == nil),
        "'\(name)' is \(String(describing: found)) instead of \(String(describing: old))")
      try require(try map.remove(forKey: name) == (old != nil), "'\(name)' was removed wrongly")
    default:
      note("remove all of '\(property.name)' of \(reference)")
      try map.removeAll()
      expected = [:]
    }
    oracle.set(reference, property.name, to: .map(expected))
  }

  // MARK: Growing

  /// A list that takes several levels of nodes, changed here and there, and small again.
  func growAndShrink() throws {
    guard values.happens(percent: 40), let reference = values.existing(oracle, "Bag") else {
      return try changeCollection()
    }
    note("grow and shrink a list of \(reference)")
    let property = oracle.shape("Bag").schema[values.pick(["ints", "strings", "optionalInts"])]
    guard let property else { return }
    let list = try object(reference).list(property.name)
    var expected = oracle.elements(reference, property.name)
    let some = values.elements(of: property, count: 50, oracle)
    let new = (0..<3_000).map { some[$0 % some.count] }
    try list.append(contentsOf: new)
    expected += new
    for _ in 0..<40 {
      try changeList(list, property, &expected, values.number(45..<100))
    }
    oracle.set(reference, property.name, to: .list(expected))
    let found = try list.values()
    try require(
      PropertyValue.list(found).isExactly(.list(expected)), "'\(property.name)' is not as expected")
    let kept = values.number(0..<20)
    while expected.count > kept {
      let place = values.number(0..<expected.count)
      if expected.count > 300 {
        // One by one would take too long.
        expected = Array(expected.prefix(values.number(0..<300)))
        try object(reference).set(property.name, to: .list(expected))
      } else {
        try list.remove(at: place)
        expected.remove(at: place)
      }
    }
    oracle.set(reference, property.name, to: .list(expected))
  }
}
