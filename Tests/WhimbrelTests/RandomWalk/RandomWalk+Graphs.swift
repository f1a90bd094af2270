import Foundation
import Whimbrel
import WhimbrelTesting

/// A part that is about to be added, and what is expected of it.
private struct PlannedPart {
  let part: Walk.Part
  let next: Walk.Part?
  let leaf: Walk.Leaf?
  let leaves: [Walk.Leaf]
}

extension RandomWalk {
  /// Adds hubs that lead to each other in circles, to embedded objects of their own, and
  /// to objects of the store.
  func addGraph() throws {
    let room = Self.limit - oracle.count("Hub")
    guard room > 0 else { return }
    let hubs = (0..<values.number(1..<min(room, 4) + 1)).map { Walk.Hub(name: "hub \($0)") }
    let named = try values.existing(oracle, "Named").map { try model(Walk.Named.self, $0) }
    var parts: [[PlannedPart]] = []
    for (index, hub) in hubs.enumerated() {
      // All can be reached from the first.
      if index + 1 < hubs.count { hub.list.append(hubs[index + 1]) }
      hub.next = values.pick(hubs)
      if values.happens(percent: 50) { hub.list.append(values.pick(hubs)) }
      if values.happens(percent: 50) { hub.map["back"] = hubs[0] }
      if let named { hub.set.insert(named) }
      hub.named = named
      if values.happens(percent: 30) { hub.any = .list([.object(hubs[0]), .int(1)]) }
      parts.append(plan(for: hub))
    }
    let hasAny = hubs.map { !$0.any.isNone }
    let nexts = hubs.map(\.next)
    let lists = hubs.map { Array($0.list) }
    let hasMap = hubs.map { !$0.map.isEmpty }
    let held = hubs.map(\.list)
    note("typed: add \(hubs.count) hubs")
    try store.add(hubs[0])
    for (index, hub) in hubs.enumerated() {
      try enter(parts[index])
      try require(held[index].isManaged, "a list has not become one of the store")
      let first = try link(hubs[0])
      var given: [String: PropertyValue] = [
        "name": .string("hub \(index)"), "next": try nexts[index].map(link) ?? .null,
        "list": .list(try lists[index].map(link)),
        "map": .map(hasMap[index] ? ["back": first] : [:]),
        "set": .list(try named.map { [try link($0)] } ?? []),
        "named": try named.map(link) ?? .null,
      ]
      if hasAny[index] {
        given["any"] = .list([oracle.link(to: try reference(hubs[0])), .int(1)])
      }
      given["part"] = try parts[index].first.map { try link($0.part) }
      given["parts"] = .list(try parts[index].dropFirst().map { try link($0.part) })
      insert(try reference(hub), given)
    }
  }

  private func plan(for hub: Walk.Hub) -> [PlannedPart] {
    guard oracle.count("Part") < Self.limit else { return [] }
    let planned = (0..<values.number(0..<3)).map { _ in
      let part = Walk.Part(name: values.text())
      let next = values.happens(percent: 30) ? Walk.Part(name: "next") : nil
      let leaves = (0..<values.number(0..<3)).map { Walk.Leaf(number: $0) }
      let leaf = leaves.isEmpty ? nil : Walk.Leaf(number: -1)
      leaf?.leaves.append(objectsIn: leaves)
      part.next = next
      part.leaf = leaf
      part.target = hub
      return PlannedPart(part: part, next: next, leaf: leaf, leaves: leaves)
    }
    hub.part = planned.first?.part
    hub.parts.append(objectsIn: planned.dropFirst().map(\.part))
    return planned
  }

  private func enter(_ planned: [PlannedPart]) throws {
    for plan in planned {
      for (number, leaf) in plan.leaves.enumerated() {
        insert(try reference(leaf), ["number": .int(Int64(number))])
      }
      if let leaf = plan.leaf {
        let leaves = PropertyValue.list(try plan.leaves.map(link))
        insert(try reference(leaf), ["number": -1, "leaves": leaves])
      }
      if let next = plan.next { insert(try reference(next), ["name": "next"]) }
      insert(
        try reference(plan.part),
        [
          "name": .string(plan.part.name), "next": try plan.next.map(link) ?? .null,
          "leaf": try plan.leaf.map(link) ?? .null,
          "target": plan.part.target.map(\.propertyValueOfLink) ?? .null,
        ])
    }
  }

  func reference(_ object: some WalkModel) throws -> Reference {
    guard let id = object.objectID else { throw failure("an object is not managed") }
    return Reference(className: type(of: object)._$schema.name, id: id)
  }

  private func link(_ object: some WalkModel) throws -> PropertyValue {
    .link(try reference(object).id)
  }

  /// Enters an object of some values; the others are empty.
  func insert(_ reference: Reference, _ given: [String: PropertyValue]) {
    let all = oracle.shape(reference.className).properties.map { property in
      if let value = given[property.name] { return value }
      if case .value(let value) = property.defaultValue { return value }
      if property.isOptional || property.type == .any { return PropertyValue.null }
      if case .map = property.type { return .map([:]) }
      return .list([])
    }
    oracle.insert(reference, all)
  }

  // MARK: Embedded objects in a list

  func changeTypedParts() throws {
    guard let reference = values.existing(oracle, "Hub") else { return }
    let hub = try model(Walk.Hub.self, reference)
    var expected = oracle.elements(reference, "parts")
    let count = expected.count
    let isFull = oracle.count("Part") >= 2 * Self.limit
    let part = Walk.Part(name: values.text())
    let choice = values.number(0..<8)
    note("typed: change \(choice) of the parts of \(reference)")
    switch choice {
    case 0..<3 where !isFull:
      let place = values.number(0..<count + 1)
      hub.parts.insert(part, at: place)
      expected.insert(try enterPart(part), at: place)
    case 3 where count > 0 && !isFull:
      let place = values.number(0..<count)
      hub.parts[place] = part
      expected[place] = try enterPart(part)
    case 4 where count > 1:
      let (first, second) = (values.number(0..<count), values.number(0..<count))
      hub.parts.swapAt(first, second)
      expected.swapAt(first, second)
    case 5 where count > 0:
      let place = values.number(0..<count)
      let old = hub.parts.remove(at: place)
      expected.remove(at: place)
      try require(old.isInvalidated, "a part that was removed is there")
    case 6:
      hub.parts.reverse()
      expected.reverse()
    case 7 where !isFull:
      hub.part = part
      oracle.set(reference, "part", to: try enterPart(part))
    default:
      hub.other = nil
      oracle.set(reference, "other", to: .null)
    }
    oracle.set(reference, "parts", to: .list(expected))
  }

  private func enterPart(_ part: Walk.Part) throws -> PropertyValue {
    insert(try reference(part), ["name": .string(part.name)])
    return try link(part)
  }
}

extension Walk.Hub {
  fileprivate var propertyValueOfLink: PropertyValue { objectID.map { .link($0) } ?? .null }
}
