import Foundation
import Whimbrel

extension RandomWalk {
  /// Tries to add objects that cannot all be added: none of them is.
  func refuseGraph() throws {
    let first = Walk.Hub(name: "first")
    let second = Walk.Hub(name: "second")
    let part = Walk.Part(name: values.text())
    part.next = Walk.Part(name: "next")
    // A circle of objects in no store keeps itself, and the store that it leads to.
    defer {
      first.list.removeAll()
      first.parts.removeAll()
      first.any = .none
      second.any = .none
    }
    first.list.append(second)
    second.map["first"] = first
    second.part = part
    first.any = .list([.object(second), .object(Walk.Marked(mark: ObjectId.generate()))])
    let deep = (0..<101).reduce(AnyValue.none) { value, _ in .list([value]) }
    var attempts: [(StoreError.Code, () throws -> Void)] = [
      (.nestedTooDeep, { second.any = deep }),
      (.embeddedHasOwner, { first.parts.append(part) }),
      (.invalidMapKey, { second.map[""] = second }),
    ]
    if let named = values.existing(oracle, "Named"),
      case .string(let name) = oracle.value(named, "name")
    {
      attempts.append((.duplicatePrimaryKey, { second.set.insert(Walk.Named(name: name)) }))
    }
    if let owned = values.existing(oracle, "Part") {
      let other = try model(Walk.Part.self, owned)
      attempts.append((.embeddedHasOwner, { first.parts.append(other) }))
    }
    let (code, spoil) = values.pick(attempts)
    try spoil()
    try expect(code, "adding a graph", of: []) { try store.add(first) }
    try require(
      !first.isManaged && !second.isManaged && !part.isManaged && !first.list.isManaged,
      "something is managed that was not added")
    try require(first.list.count == 1 && second.part == part, "what was not added has changed")
    try checkIntegrity()
  }

  /// Does what makes the write fail when it ends, and returns how; nil when there is
  /// nothing to do it with.
  func spoil() throws -> StoreError.Code? {
    guard let reference = values.existing(oracle, "Hub") else { return nil }
    let hub = try model(Walk.Hub.self, reference)
    note("typed: spoil the write by \(reference)")
    switch values.number(0..<4) {
    case 0:
      guard let part = values.existing(oracle, "Part"),
        oracle.value(reference, "other") != .link(part.id)
      else { return nil }
      hub.other = try model(Walk.Part.self, part)
      return .embeddedHasOwner
    case 1:
      guard let named = values.existing(oracle, "Named"),
        case .string(let name) = oracle.value(named, "name")
      else { return nil }
      hub.named = Walk.Named(name: name)
      return .duplicatePrimaryKey
    case 2:
      hub.map[""] = hub
      return .invalidMapKey
    default:
      let other = Walk.Hub(name: "other")
      try store.add(other)
      try store.delete(other)
      hub.list.append(other)
      return .objectDeleted
    }
  }
}
