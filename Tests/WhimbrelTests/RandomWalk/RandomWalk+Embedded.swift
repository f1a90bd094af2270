import Foundation
import Whimbrel
import WhimbrelTesting

extension RandomWalk {
  /// Creates an embedded object without an owner yet, with others inside of it.
  func newChild(_ className: String, depth: Int = 0) throws -> Reference {
    let shape = oracle.shape(className)
    var given = try randomValues(shape, percent: 40)
    for (position, target) in shape.owned where depth < 3 && values.happens(percent: 30) {
      given[shape.properties[position].name] = try newChildren(
        position, target, of: shape, depth: depth + 1)
    }
    return try enter(shape, given)
  }

  /// A value of a property that owns embedded objects: all of them new.
  func newChildren(
    _ position: Int, _ target: String, of shape: ObjectOracle.Shape, depth: Int = 0
  ) throws -> PropertyValue {
    switch shape.properties[position].type {
    case .list:
      return .list(
        try (0..<values.number(0..<3)).map { _ in .link(try newChild(target, depth: depth).id) })
    case .map:
      var map: [String: PropertyValue] = [:]
      for _ in 0..<values.number(0..<3) {
        let name = values.name()
        if map[name] == nil { map[name] = .link(try newChild(target, depth: depth).id) }
      }
      return .map(map)
    default:
      return .link(try newChild(target, depth: depth).id)
    }
  }

  /// Changes what an object owns.
  func changeEmbedded() throws {
    let candidates = oracle.shapes.filter { !$0.owned.isEmpty && oracle.count($0.name) > 0 }
    guard !candidates.isEmpty else { return }
    let shape = values.pick(candidates)
    guard let reference = values.existing(oracle, shape.name) else { return }
    let (position, target) = values.pick(shape.owned)
    let property = shape.properties[position]
    let isFull = oracle.count(target) >= 2 * Self.limit
    switch property.type {
    case .list: try changeChildren(inList: property, target, of: reference, isFull)
    case .map: try changeChildren(inMap: property, target, of: reference, isFull)
    default:
      if isFull || values.happens(percent: 25) {
        note("let go of '\(property.name)' of \(reference)")
        try object(reference).set(property.name, to: .null)
        oracle.set(reference, property.name, to: .null)
      } else {
        let child = try newChild(target)
        note("set '\(property.name)' of \(reference) to \(child)")
        try object(reference).set(property.name, to: .link(child.id))
        oracle.set(reference, property.name, to: .link(child.id))
      }
    }
  }

  private func changeChildren(
    inList property: PropertySchema, _ target: String, of reference: Reference, _ isFull: Bool
  ) throws {
    let list = try object(reference).list(property.name)
    var expected = oracle.elements(reference, property.name)
    let count = expected.count
    switch values.number(0..<100) {
    case 0..<40 where !isFull:
      let child = PropertyValue.link(try newChild(target).id)
      let place = values.number(0..<count + 1)
      note("insert \(child) at \(place) of '\(property.name)' of \(reference)")
      try list.insert(child, at: place)
      expected.insert(child, at: place)
    case 40..<55 where count > 0 && !isFull:
      let child = PropertyValue.link(try newChild(target).id)
      let place = values.number(0..<count)
      note("replace \(place) of '\(property.name)' of \(reference) by \(child)")
      try list.replace(at: place, with: child)
      expected[place] = child
    case 55..<70 where count > 0:
      let (source, place) = (values.number(0..<count), values.number(0..<count))
      note("move \(source) of '\(property.name)' of \(reference) to \(place)")
      try list.move(from: source, to: place)
      expected.insert(expected.remove(at: source), at: place)
    case 70..<85 where count > 0:
      let place = values.number(0..<count)
      note("remove \(place) of '\(property.name)' of \(reference)")
      try list.remove(at: place)
      expected.remove(at: place)
    case 85..<95:
      // Some of its own in another order, and one that is new.
      expected.shuffle(using: &values.random)
      expected = Array(expected.prefix(values.number(0..<count + 1)))
      if !isFull { expected.append(.link(try newChild(target).id)) }
      note("set '\(property.name)' of \(reference) to \(expected)")
      try object(reference).set(property.name, to: .list(expected))
    default:
      note("remove all of '\(property.name)' of \(reference)")
      try list.removeAll()
      expected = []
    }
    oracle.set(reference, property.name, to: .list(expected))
  }

  private func changeChildren(
    inMap property: PropertySchema, _ target: String, of reference: Reference, _ isFull: Bool
  ) throws {
    let map = try object(reference).map(property.name)
    var expected = oracle.map(reference, property.name)
    let names = expected.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    switch values.number(0..<100) {
    case 0..<60 where !isFull:
      let child = PropertyValue.link(try newChild(target).id)
      let name =
        values.happens(percent: 40) && !names.isEmpty ? values.pick(names) : values.name()
      note("set '\(name)' in '\(property.name)' of \(reference) to \(child)")
      try map.set(child, forKey: name)
      expected.replaceValue(child, forKey: name)
    case 60..<90 where !names.isEmpty:
      let name = values.pick(names)
      note("remove '\(name)' from '\(property.name)' of \(reference)")
      try map.remove(forKey: name)
      expected[name] = nil
    default:
      note("set '\(property.name)' of \(reference) to nothing")
      try object(reference).set(property.name, to: .map([:]))
      expected = [:]
    }
    oracle.set(reference, property.name, to: .map(expected))
  }
}
