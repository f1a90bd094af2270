import WhimbrelEngine
import WhimbrelTestSupport

/// A random change of classes of which some are embedded.
///
/// Boxes and shelves own children, and a child owns a part.
struct Reshaping: Sendable {
  enum Kind: CaseIterable, Sendable { case link, list, map }

  var wasEmbedded: [String: Bool] = [:]
  var isEmbedded: [String: Bool] = [:]
  /// What boxes and shelves have before and after.
  private(set) var oldPlaces: [String: [String]] = [:]
  private(set) var newPlaces: [String: [String]] = [:]
  /// Whether shelves are declared.
  let hasShelves: Bool
  let keepsParts: Bool
  /// Whether children need a value that only code can give.
  let needsValue: Bool

  init(using generator: inout SeededGenerator) {
    for name in ["Child", "Part"] {
      wasEmbedded[name] = !generator.once(in: 3)
      isEmbedded[name] = !generator.once(in: 4)
    }
    oldPlaces = ["Box": ["link", "list", "map"], "Shelf": ["list"]]
    hasShelves = !generator.once(in: 3)
    keepsParts = !generator.once(in: 4)
    needsValue = generator.once(in: 3)
    let keepsNone = generator.once(in: 4)
    for (name, old) in oldPlaces.sorted(by: { $0.key < $1.key }) {
      let new = ["newLink", "newList", "newMap"].filter { _ in generator.once(in: 2) }
      newPlaces[name] = (keepsNone ? [] : old.filter { _ in !generator.once(in: 3) }) + new
    }
    if !hasShelves { newPlaces["Shelf"] = oldPlaces["Shelf"] }
  }

  func kind(_ place: ReshapedPlace) -> Kind {
    let name = place.property.lowercased()
    return name.hasSuffix("link") ? .link : name.hasSuffix("list") ? .list : .map
  }

  var old: [ClassSchema] {
    classes(oldPlaces, wasEmbedded, ["Box", "Shelf"], [.link("part", to: "Part")])
  }

  var new: [ClassSchema] {
    let need = needsValue ? [PropertySchema.required("need", .int)] : []
    let part = keepsParts ? [PropertySchema.link("part", to: "Part")] : []
    return classes(newPlaces, isEmbedded, hasShelves ? ["Box", "Shelf"] : ["Box"], need + part)
  }

  private func classes(
    _ places: [String: [String]], _ isEmbedded: [String: Bool], _ owners: [String],
    _ ofChild: [PropertySchema]
  ) -> [ClassSchema] {
    func owned(_ name: String, _ properties: [PropertySchema]) -> ClassSchema {
      ClassSchema(
        name: name, isEmbedded: isEmbedded[name] ?? false,
        properties: [.required("number", .int)] + properties)
    }
    let key = PropertySchema(name: "key", type: .int, isPrimaryKey: true)
    return [owned("Child", ofChild), owned("Part", [])]
      + owners.map { owner in
        let links = (places[owner] ?? []).map { name -> PropertySchema in
          switch kind(ReshapedPlace(owner: owner, key: 0, property: name)) {
          case .link: .link(name, to: "Child")
          case .list: .list(name, .link(to: "Child"))
          case .map: .map(name, .link(to: "Child"))
          }
        }
        return ClassSchema(name: owner, properties: [key] + links)
      }
  }
}

/// A property of an owner.
struct ReshapedPlace: Hashable, Sendable, CustomStringConvertible {
  let owner: String
  let key: Int64
  let property: String

  var description: String { "\(owner) \(key).\(property)" }
}

/// One step of a block.
enum ReshapingStep: Sendable {
  case give(Int64, ReshapedPlace)
  case create(Int64, ReshapedPlace)
  case empty(ReshapedPlace)
  /// Deletes the owner that has a place.
  case delete(ReshapedPlace)
  case deleteChild(Int64)
  case deleteAll(String)
  /// Visits all children, and gives them the value that they need.
  case visit
}

/// What a store holds in the course of such a change, in plain Swift: children and parts are known
/// by their numbers, which are the IDs of those of the file.
struct ReshapedStore: Sendable {
  let change: Reshaping
  /// The owners that are there, as places without a property.
  private var owners: Set<ReshapedPlace> = []
  private var places: [ReshapedPlace: [Int64]] = [:]
  private var children: Set<Int64> = []
  private var parts: Set<Int64> = []
  /// The part of each child.
  private var partOf: [Int64: Int64] = [:]
  /// The children that have lost their owner in the block.
  private var hidden: Set<Int64> = []
  /// The children that have the value which they need.
  private var valued: Set<Int64> = []
  private var fileCount: Int64 = 0
  private var nextNumber: Int64 = 100

  /// Random objects of the old schema.
  init(_ change: Reshaping, using generator: inout SeededGenerator) {
    self.change = change
    func extra(_ name: String) -> Int64 {
      // Embedded objects have an owner each.
      change.wasEmbedded[name] == true ? 0 : Int64.random(in: 0...2, using: &generator)
    }
    for (owner, count) in [("Box", Int64(3)), ("Shelf", 2)] {
      for key in 1...count {
        owners.insert(ReshapedPlace(owner: owner, key: key, property: ""))
        for property in change.oldPlaces[owner] ?? [] {
          let place = ReshapedPlace(owner: owner, key: key, property: property)
          let most: Int64 = change.kind(place) == .link ? 1 : 3
          let first = fileCount + 1
          fileCount += Int64.random(in: 0...most, using: &generator)
          places[place] = Array(first..<fileCount + 1)
        }
      }
    }
    fileCount += extra("Child")
    children = Set(1..<fileCount + 1)
    for child in 1..<fileCount + 1 where generator.once(in: 2) {
      partOf[child] = Int64(partOf.count) + 1
    }
    parts = Set(1..<Int64(partOf.count) + extra("Part") + 1)
  }

  /// Makes the store, and forgets what the new schema has no place for.
  mutating func make() throws -> TestStore {
    func link(_ number: Int64) -> PropertyValue { .link(ObjectID(rawValue: UInt64(number))) }
    let store = try TestStore(change.old) { session in
      for part in parts.sorted() { try session.create("Part", ["number": .int(part)]) }
      for child in children.sorted() {
        let part = partOf[child].map(link) ?? .null
        try session.create("Child", ["number": .int(child), "part": part])
      }
      for owner in owners.sorted(by: { $0.key < $1.key }) {
        var values: [String: PropertyValue] = ["key": .int(owner.key)]
        for (place, children) in places where place.isOf(owner) {
          values[place.property] =
            switch change.kind(place) {
            case .link: children.first.map(link) ?? .null
            case .list: .list(children.map(link))
            case .map: .map(children.reduce(into: [:]) { $0["n\($1)"] = link($1) })
            }
        }
        try session.create(owner.owner, values)
      }
    }
    places = places.filter { change.newPlaces[$0.key.owner]?.contains($0.key.property) == true }
    if !change.keepsParts { partOf = [:] }
    return store
  }
}

// MARK: - Steps

extension ReshapedStore {
  private var isEmbedded: Bool { change.isEmbedded["Child"] == true }

  /// The owners that the block can reach.
  private var reachable: [ReshapedPlace] {
    owners.filter { $0.owner == "Box" || change.hasShelves }
      .sorted { ($0.owner, $0.key) < ($1.owner, $1.key) }
  }

  /// The places that the block sees.
  var ownerPlaces: [ReshapedPlace] {
    reachable.flatMap { owner in
      (change.newPlaces[owner.owner] ?? []).map {
        ReshapedPlace(owner: owner.owner, key: owner.key, property: $0)
      }
    }
  }

  /// The old children that the block visits.
  var visited: [Int64] { children.subtracting(hidden).filter { $0 <= fileCount }.sorted() }

  func randomStep(using generator: inout SeededGenerator) -> ReshapingStep? {
    let place = ownerPlaces.randomElement(using: &generator)
    switch Int.random(in: 0..<16, using: &generator) {
    case 0..<7:
      // Now and then one that has an owner, which is an error in the end.
      let mayShare =
        !isEmbedded || change.wasEmbedded["Child"] == true && generator.once(in: 6)
      let isAny = hidden.isEmpty || generator.once(in: 2)
      let free = (isAny ? children : hidden).sorted().filter { child in
        mayShare || !places.values.contains { $0.contains(child) }
      }
      guard let place, let child = free.randomElement(using: &generator),
        places[place]?.contains(child) != true
      else { return nil }
      return .give(child, place)
    case 7, 8: return place.map { .create(nextNumber, $0) }
    case 9, 10: return place.map { .empty($0) }
    case 11: return reachable.randomElement(using: &generator).map { .delete($0) }
    case 12:
      return children.subtracting(hidden).sorted().randomElement(using: &generator).map {
        .deleteChild($0)
      }
    case 13:
      let names = generator.once(in: 3) ? ["Box", "Child", "Part"] : ["Shelf"]
      return names.randomElement(using: &generator).map { .deleteAll($0) }
    default: return .visit
    }
  }

  mutating func run(_ step: ReshapingStep) {
    switch step {
    case .give(let child, let place): give(child, place)
    case .create(let child, let place):
      children.insert(child)
      valued.insert(child)
      nextNumber += 1
      give(child, place)
    case .empty(let place): release(places.removeValue(forKey: place) ?? [])
    case .delete(let owner): remove(owner)
    case .deleteChild(let child): removeChildren([child])
    case .deleteAll("Child"): removeChildren(children)
    case .deleteAll("Part"): (parts, partOf) = ([], [:])
    case .deleteAll(let name):
      for owner in owners where owner.owner == name { remove(owner) }
    case .visit: valued.formUnion(visited)
    }
  }

  private mutating func give(_ child: Int64, _ place: ReshapedPlace) {
    let old = places[place] ?? []
    let isLink = change.kind(place) == .link
    places[place] = (isLink ? [] : old) + [child]
    hidden.remove(child)
    if isLink { release(old) }
  }

  private mutating func remove(_ owner: ReshapedPlace) {
    owners.remove(owner)
    let gone = places.filter { $0.key.isOf(owner) }
    for place in gone.keys { places[place] = nil }
    release(gone.values.flatMap(\.self))
  }

  private mutating func removeChildren(_ gone: Set<Int64>) {
    children.subtract(gone)
    hidden.subtract(gone)
    for place in places.keys { places[place]?.removeAll { gone.contains($0) } }
    for child in gone { partOf[child] = nil }
  }

  /// Hides what no place has any longer.
  private mutating func release(_ released: [Int64]) {
    guard isEmbedded else { return }
    let owned = Set(places.values.joined())
    hidden.formUnion(released.filter { !owned.contains($0) && children.contains($0) })
  }
}

// MARK: - The end

extension ReshapedStore {
  /// The errors of which one ends the migration; none when it succeeds.
  var errors: Set<StoreError.Code> {
    var errors: Set<StoreError.Code> = []
    let owned = places.values.joined()
    if isEmbedded, Set(owned).count < owned.count { errors.insert(.embeddedHasOwner) }
    var left = self
    left.removeOrphans()
    if change.needsValue, !left.children.isSubset(of: valued) { errors.insert(.migrationUnset) }
    return errors
  }

  /// Removes what belongs to nobody.
  mutating func removeOrphans() {
    if isEmbedded { children.formIntersection(places.values.joined()) }
    partOf = partOf.filter { children.contains($0.key) }
    if change.isEmbedded["Part"] == true { parts.formIntersection(partOf.values) }
  }

  /// The children and the parts.
  var objects: Set<String> {
    Set(children.map { "Child \($0)" } + parts.map { "Part \($0)" })
  }

  /// What the block sees of the owners that it can reach.
  var ownerLines: [String] { ownerPlaces.map { line($0, places[$0] ?? []) } }

  func line(_ place: ReshapedPlace, _ children: [Int64]) -> String {
    "\(place): \(change.kind(place) == .map ? children.sorted() : children)"
  }

  /// What the store holds, a line for each property and object.
  var lines: [String] {
    let ofOwners = owners.flatMap { owner in
      (change.newPlaces[owner.owner] ?? []).map { property in
        let place = ReshapedPlace(owner: owner.owner, key: owner.key, property: property)
        return line(place, places[place] ?? [])
      }
    }
    let ofChildren = children.map { child in
      "Child \(child)" + (partOf[child].map { " has \($0)" } ?? "")
    }
    return (ofOwners + ofChildren + parts.map { "Part \($0)" }).sorted()
  }

  /// The same of what a store holds.
  func lines(_ contents: StoreContents) -> [String] {
    func number(_ id: ObjectID, _ name: String) -> Int64 {
      guard case .int(let number)? = contents.objects[name]?[id.rawValue]?["number"] else {
        return -1
      }
      return number
    }
    var lines: [String] = []
    for (name, objects) in contents.objects {
      for (id, object) in objects {
        let own = number(ObjectID(rawValue: id), name)
        switch (name, object["part"]) {
        case ("Part", _): lines.append("Part \(own)")
        case ("Child", .link(let part)?): lines.append("Child \(own) has \(number(part, "Part"))")
        case ("Child", _): lines.append("Child \(own)")
        default:
          guard case .int(let key)? = object["key"] else { continue }
          for (property, value) in object where property != "key" {
            let place = ReshapedPlace(owner: name, key: key, property: property)
            lines.append(line(place, value.ownedLinks.map { number($0, "Child") }))
          }
        }
      }
    }
    return lines.sorted()
  }
}

extension ReshapedPlace {
  fileprivate func isOf(_ other: ReshapedPlace) -> Bool { owner == other.owner && key == other.key }
}

extension PropertyValue {
  /// What a value of links leads to.
  var ownedLinks: [ObjectID] {
    switch self {
    case .link(let id): [id]
    case .list(let values): values.flatMap(\.ownedLinks)
    case .map(let values): values.values.flatMap(\.ownedLinks)
    default: []
    }
  }
}
