package import WhimbrelLMDB

/// The object that a rule is converting, as it was stored. Its parts are nil while no rule runs.
package final class ObjectAtHand {
  // Safe: a rule runs for one object at a time.
  @safe @exclusivity(unchecked) private(set) var id: ObjectID?
  @safe @exclusivity(unchecked) package private(set) var record: PageBytes?
  /// The overflow of the object: long strings, data and collections, which are not in its record.
  @safe @exclusivity(unchecked) private(set) var overflow = Overflow.none
  /// The number of objects shown so far.
  @safe @exclusivity(unchecked) private(set) var number: UInt64 = 0

  func show(_ id: ObjectID, _ record: PageBytes, _ overflow: consuming Overflow) {
    self.id = id
    self.record = record
    self.overflow = overflow
    number += 1
  }

  /// Shows no object until the next one is shown.
  func putAway() {
    (id, record) = (nil, nil)
    overflow = .none
  }
}

/// A table of one class as the code of a rule sees it: it has the current object and no other.
final class RuleObjectTable: ClassTable {
  /// The side of a rule that a table belongs to.
  enum Side {
    /// The object before the conversion.
    case old
    /// The object after the conversion, in the encoder of the table.
    case new
    /// No object: the table is that of another class.
    case none
  }

  private let side: Side
  private let hand: ObjectAtHand
  /// The number of the last object whose value the rule has set, for each property.
  // Safe: a rule runs for one object at a time.
  @safe @exclusivity(unchecked) private var assigned: [UInt64]
  private let advancer: Counter.Advancer
  /// The properties that a rule may not set: their index entries stay as they are.
  private let fixed: [Bool]

  init(
    _ resolved: ResolvedClass, _ side: Side, _ hand: ObjectAtHand, in session: Session,
    fixed: Set<PropertyID> = []
  ) {
    self.side = side
    self.hand = hand
    advancer = session.epochAdvancer
    assigned = Array(repeating: 0, count: resolved.properties.count)
    self.fixed = resolved.properties.map { fixed.contains($0.id) }
    super.init(resolved, .none, in: session, as: .elsewhere)
  }

  /// Returns whether the rule has set a property of the current object.
  func isAssigned(_ position: Int) -> Bool { assigned[position] == hand.number }

  private func beyond() -> StoreError { StoreError.ruleSeesOneObject(class: name) }

  // MARK: Where the object is

  override func record(_ id: ObjectID) throws -> PageBytes? {
    guard side != .none, id == hand.id else { throw beyond() }
    return side == .new ? encoder.bytes : hand.record
  }

  override func overflow(of id: ObjectID) -> Overflow {
    switch side {
    case .old: hand.overflow
    case .new: encoder.overflow(over: hand.overflow)
    case .none: .none
    }
  }

  override func find(_ key: PropertyValue) throws -> ObjectID? { throw beyond() }

  override func findRecord(_ key: PropertyValue) throws -> (id: ObjectID, record: PageBytes)? {
    throw beyond()
  }

  override func sources(
    _ position: Int, linkingTo target: ObjectID, of classID: ClassID
  ) throws -> [(id: ObjectID, count: Int)] { throw beyond() }

  override func linkState(_ id: ObjectID) throws -> LinkState { throw beyond() }

  override func takeObjectID() throws -> ObjectID { throw beyond() }

  override func takeObjectID(forKey key: Int64) throws -> ObjectID { throw beyond() }

  override func insertEncoded(_ id: ObjectID) throws { throw beyond() }

  override func replaceEncoded(_ id: ObjectID) throws { throw beyond() }

  override func remove(_ id: ObjectID) throws { throw beyond() }

  override func removeEach(_ next: () -> ObjectID?) throws { throw beyond() }

  override var canAppend: Bool { false }

  override func recordToChange(_ id: ObjectID) throws -> PageBytes? { try record(id) }

  // MARK: Changes

  override func update(
    _ id: ObjectID, at position: Int? = nil, _ change: (inout RecordEncoder) throws -> Void
  ) throws {
    guard side == .new, let position else { throw beyond() }
    try set(id, at: position, change)
  }

  @discardableResult
  override func set(
    _ id: ObjectID, at position: Int, _ change: (inout RecordEncoder) throws -> Void
  ) throws -> PageBytes? {
    try requireSettable(id, position)
    try change(&encoder)
    didSet(position)
    return nil
  }

  override func editCollection<Result>(
    _ position: Int, of id: ObjectID, _ body: (inout CollectionEditor) throws -> Result
  ) throws -> Result {
    try requireSettable(id, position)
    guard let field = resolved.written.fields[position] else { throw DamagedRecord() }
    // The change is made in memory. The stored collection does not change until the object is
    // written.
    if !encoder.holdsCollection(position) {
      let value = try resolved.written.value(position, of: encoder.bytes, overflow(of: id))
      try encoder.setStored(position, value)
    }
    var editor = CollectionEditor(
      .memory(encoder.collectionNodes(position)), resolved.properties[position],
      stored: field.property, class: name)
    let result = try body(&editor)
    if case .memory(let nodes) = editor.tree.nodes {
      encoder.set(position, collection: nodes)
    }
    didSet(position)
    return result
  }

  private func requireSettable(_ id: ObjectID, _ position: Int) throws {
    switch side {
    case .new where id == hand.id: break
    case .old:
      throw StoreError.oldObjectIsReadOnly(
        class: name, objectID: id, primaryKey: primaryKey(of: id))
    default: throw beyond()
    }
    if fixed[position] {
      throw StoreError.ruleSetsKeptProperty(
        class: name, property: resolved.properties[position].name)
    }
  }

  private func didSet(_ position: Int) {
    assigned[position] = hand.number
    // Values that typed objects have read from the encoder are not valid any more.
    advancer.advance()
  }
}
