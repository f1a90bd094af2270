import Foundation
import Whimbrel
import WhimbrelTesting

extension RandomWalk {
  /// Tries something that cannot be done: an error, and nothing has changed.
  func refuse() throws {
    refusals += 1
    switch values.number(0..<9) {
    case 0: try refuseValue()
    case 1: try refuseKey()
    case 2: try refuseMissingTarget()
    case 3: try refuseElements()
    case 4: try refuseSecondOwner()
    case 5: try refuseSecondOwnerOfMany()
    case 6: try refusePosition()
    case 7: try refuseGraph()
    default: try refuseCreation()
    }
  }

  func expect(
    _ code: StoreError.Code, _ what: String, of references: [Reference],
    _ body: () throws -> Void
  ) throws {
    note("expect \(code) when \(what) of \(references)")
    do {
      try body()
    } catch let error as StoreError {
      try require(error.code == code, "\(code) was expected when \(what), not \(error)")
      oracle.touched.formUnion(references)
      if values.happens(percent: 25) { try checkIntegrity() }
      return
    }
    throw failure("\(code) was expected when \(what)")
  }

  // MARK: Properties

  private func refuseValue() throws {
    guard let reference = values.existing(oracle, "Scalars") else { return }
    let cases: [(property: String, value: PropertyValue, code: StoreError.Code)] = [
      ("int", "text", .wrongType), ("int8", 128, .outOfRange), ("uint32", -1, .outOfRange),
      ("optionalUInt16", 65_536, .outOfRange), ("string", nil, .missingValue),
      ("decimal", 1.5, .wrongType), ("level", 1, .outOfRange), ("season", "autumn", .outOfRange),
      ("optionalDate", .double(0), .wrongType), ("nothing", 0, .unknownProperty),
      ("optionalData", .link(reference.id), .wrongType), ("float", .double(1), .wrongType),
      ("uuid", .list([]), .wrongType), ("data", "bytes", .wrongType),
    ]
    let (property, value, code) = values.pick(cases)
    let object = try object(reference)
    try expect(code, "setting '\(property)'", of: [reference]) {
      try object.set(property, to: value)
    }
  }

  private func refuseKey() throws {
    let className = values.pick(["Named", "Numbered", "Tagged", "Marked"])
    let shape = oracle.shape(className)
    guard let reference = values.existing(oracle, className), let key = shape.schema.primaryKey
    else { return }
    if values.happens(percent: 30) {
      let object = try object(reference)
      let other = freshKey(key)
      return try expect(.primaryKeyIsFixed, "setting the key", of: [reference]) {
        try object.set(key.name, to: other)
      }
    }
    var given = try randomValues(shape, percent: 60)
    given[key.name] = oracle.value(reference, key.name)
    try expect(.duplicatePrimaryKey, "creating it again", of: [reference]) {
      try store.dynamicCreate(className, given)
    }
  }

  // MARK: Links to nowhere

  private static let nowhere = ObjectID(rawValue: 0x7000_0000_0000_0001)

  private func refuseMissingTarget() throws {
    let gone = PropertyValue.link(Self.nowhere)
    guard let reference = values.existing(oracle, "Hub") else { return }
    let object = try object(reference)
    let inside = PropertyValue.object(
      ObjectReference(classID: oracle.shape("Named").classID, id: Self.nowhere))
    let attempts: [(String, () throws -> Void)] = [
      ("setting a link", { try object.set("next", to: gone) }),
      ("setting a value of any type", { try object.set("any", to: .list([1, inside])) }),
      ("appending", { try object.list("list").append(contentsOf: [object.link, gone]) }),
      ("inserting into a set", { try object.set("set").insert(gone) }),
      ("setting an element of a map", { try object.map("map").set(gone, forKey: "gone") }),
      ("setting a map", { try object.set("map", to: .map(["gone": gone])) }),
      ("setting an embedded object", { try object.set("part", to: gone) }),
      ("creating", { try self.store.dynamicCreate("Hub", ["list": .list([gone])]) }),
    ]
    let (what, body) = values.pick(attempts)
    try expect(.objectDeleted, what, of: [reference], body)
  }

  // MARK: Elements

  private func refuseElements() throws {
    guard let reference = values.existing(oracle, "Bag") else { return }
    let object = try object(reference)
    let long = PropertyValue.string(String(repeating: "long", count: 400))
    let attempts: [(String, StoreError.Code, () throws -> Void)] = [
      (
        "appending", .wrongType,
        { try object.list("strings").append(contentsOf: [long, "a", long, 5]) }
      ),
      ("replacing", .wrongType, { try object.set("strings", to: .list([long, "b", 5])) }),
      ("inserting nil", .wrongType, { try object.list("ints").insert(nil, at: 0) }),
      ("inserting a case", .outOfRange, { try object.list("seasons").append("autumn") }),
      ("inserting into a set", .outOfRange, { try object.set("smallInts").insert(200) }),
      ("naming", .invalidMapKey, { try object.map("texts").set(long, forKey: "") }),
      (
        "naming too long", .invalidMapKey,
        { try object.map("texts").set(long, forKey: String(repeating: "n", count: 17_000)) }
      ),
      ("setting a map", .wrongType, { try object.set("texts", to: .map(["a": long, "b": 1])) }),
      ("setting a list of a set", .wrongType, { _ = try object.list("doubles") }),
      (
        "setting an element", .wrongType,
        { try object.map("texts").set(1, forKey: "one") }
      ),
    ]
    let (what, code, body) = values.pick(attempts)
    try expect(code, what, of: [reference], body)
  }

  private func refusePosition() throws {
    guard let reference = values.existing(oracle, "Bag") else { return }
    let object = try object(reference)
    let count = oracle.elements(reference, "strings").count
    let long = PropertyValue.string(String(repeating: "long", count: 400))
    let attempts: [(String, () throws -> Void)] = [
      ("reading", { _ = try object.list("strings").value(at: count) }),
      ("inserting", { try object.list("strings").insert(long, at: count + 1) }),
      ("replacing", { try object.list("strings").replace(at: -1, with: long) }),
      ("removing", { try object.list("strings").remove(at: count) }),
      ("moving", { try object.list("strings").move(from: count, to: 0) }),
    ]
    let (what, body) = values.pick(attempts)
    try expect(.positionOutOfBounds, what, of: [reference], body)
  }

  // MARK: Embedded objects

  private func refuseSecondOwner() throws {
    guard let owner = values.existing(oracle, "Hub"), let part = values.existing(oracle, "Part")
    else { return }
    let object = try object(owner)
    let child = PropertyValue.link(part.id)
    var attempts: [(String, () throws -> Void)] = [
      (
        "creating",
        { try self.store.dynamicCreate("Hub", ["name": "second owner", "part": child]) }
      ),
      (
        "creating in a list",
        { try self.store.dynamicCreate("Hub", ["name": "second", "parts": .list([child])]) }
      ),
    ]
    if oracle.value(owner, "part") != child {
      attempts.append(("setting", { try object.set("part", to: child) }))
    }
    if !oracle.map(owner, "partsByName").values.contains(child) {
      attempts.append(("naming", { try object.map("partsByName").set(child, forKey: "second") }))
    }
    attempts.append(("appending", { try object.list("parts").append(child) }))
    if let number = values.existing(oracle, "Numbered"), oracle.value(number, "part") != child {
      let other = try self.object(number)
      attempts.append(("setting", { try other.set("part", to: child) }))
    }
    let (what, body) = values.pick(attempts)
    try expect(.embeddedHasOwner, what, of: [owner, part], body)
  }

  /// Several children at once, of which one belongs to another, or comes twice.
  private func refuseSecondOwnerOfMany() throws {
    guard oracle.count("Part") < 2 * Self.limit, let owner = values.existing(oracle, "Hub")
    else { return }
    let object = try object(owner)
    let new = try newChild("Part")
    let child = PropertyValue.link(new.id)
    let before = oracle.elements(owner, "parts")
    let attempts: [(String, () throws -> Void)] = [
      ("appending twice", { try object.list("parts").append(contentsOf: [child, child]) }),
      ("setting twice", { try object.set("parts", to: .list(before + [child, child])) }),
      (
        "naming twice",
        { try object.set("partsByName", to: .map(["first": child, "second": child])) }
      ),
      (
        "creating twice",
        { try self.store.dynamicCreate("Hub", ["parts": .list([child]), "part": child]) }
      ),
    ]
    let (what, body) = values.pick(attempts)
    note("expect embeddedHasOwner when \(what) of \(owner)")
    do {
      try body()
      throw failure("embeddedHasOwner was expected when \(what)")
    } catch let error as StoreError {
      try require(error.code == .embeddedHasOwner, "\(error) when \(what)")
    }
    try store.delete(self.object(new))
    oracle.remove(new)
    oracle.touched.insert(owner)
    if values.happens(percent: 25) { try checkIntegrity() }
  }

  // MARK: Creating

  private func refuseCreation() throws {
    let gone = PropertyValue.object(
      ObjectReference(classID: oracle.shape("Hub").classID, id: Self.nowhere))
    let long = PropertyValue.string(String(repeating: "long", count: 600))
    let deep = (0..<101).reduce(PropertyValue.null) { value, _ in .list([value]) }
    let attempts: [(String, StoreError.Code, () throws -> Void)] = [
      ("no key", .missingValue, { try self.store.dynamicCreate("Named", ["text": long]) }),
      (
        "a wrong type", .wrongType,
        { try self.store.dynamicCreate("Bag", ["strings": .list([long]), "ints": 5]) }
      ),
      (
        "an unknown property", .unknownProperty,
        { try self.store.dynamicCreate("Bag", ["strings": .list([long]), "others": 5]) }
      ),
      (
        "an unknown class", .unknownClass, { try self.store.dynamicCreate("Crate", [:]) }
      ),
      (
        "nobody in any", .objectDeleted,
        { try self.store.dynamicCreate("Hub", ["any": .map(["long": long, "gone": gone])]) }
      ),
      (
        "a deep value", .nestedTooDeep,
        { try self.store.dynamicCreate("Hub", ["any": .map(["long": long, "deep": deep])]) }
      ),
      (
        "no policy", .noPrimaryKey,
        { try self.store.dynamicCreate("Hub", ["name": long], update: .modified) }
      ),
    ]
    let (what, code, body) = values.pick(attempts)
    try expect(code, "creating with \(what)", of: [], body)
  }
}
