public import WhimbrelEngine

extension AnyValue: ModelValue, CollectionElement {
  /// The limit of levels that lists and maps may nest.
  static let depthLimit = 100

  /// The stored type.
  public static var propertyType: PropertyType { .any }

  /// The value `none`.
  public static var _$placeholder: AnyValue { .none }

  /// Makes a value from a stored value. An object becomes `unknownObject(className:_:)`, because
  /// there is no store to find its object in.
  public init?(propertyValue: PropertyValue) { self.init(propertyValue, in: nil) }

  /// The stored value. An unmanaged object is stored as null.
  public var propertyValue: PropertyValue {
    stored(known: { .object($0) }) { object in
      guard let table = object._$row.table else { return .null }
      return .object(ObjectReference(classID: table.resolved.id, id: object._$row.id))
    }
  }

  /// The value that elements of a collection are compared by: the stored value, with unmanaged
  /// objects identified by their addresses.
  public var _$plainValue: PropertyValue {
    stored(known: { .object($0) }) { object in
      let table = object._$row.table
      let address = UInt64(UInt(bitPattern: ObjectIdentifier(object)))
      let id = table == nil ? ObjectID(rawValue: address) : object._$row.id
      let classID = table?.resolved.id ?? ClassID(rawValue: .max)
      return .object(ObjectReference(classID: classID, id: id))
    }
  }

  /// The object if the value is an object, otherwise nil.
  public var _$object: (any Model)? {
    if case .object(let object) = self { object } else { nil }
  }

  /// Reads a property of a managed object.
  public static func _$load(_ row: inout ModelRow, _ index: Int) -> AnyValue {
    read(row._$value(index), row, index)
  }

  /// Makes an element from a stored value.
  public static func _$element(
    _ value: PropertyValue, _ owner: ModelRow, _ index: Int
  ) -> AnyValue {
    read(value, owner, index)
  }

  private static func read(
    _ value: PropertyValue, _ owner: ModelRow, _ index: Int
  ) -> AnyValue {
    if let value = AnyValue(value, in: owner.session) { return value }
    owner._$noteUnknownCase(index)
    return .none
  }

  /// Sets a property of a managed object.
  public static func _$store(_ value: AnyValue, _ row: inout ModelRow, _ index: Int) {
    guard let session = row.session, let table = row.table else { return }
    do {
      let stored = try table.linking(from: index) {
        try ObjectAdder(session, .error).add(contentsOf: [value])
      }
      for stored in stored { row._$change(index, stored) }
    } catch {
      if let error = error as? StoreError, error.code == .notInWrite || session.isClosed {
        row.stop(error)
      }
      session.note(error)
    }
  }

  /// Encodes a value of an unmanaged object.
  public static func _$encode(
    _ value: AnyValue, into encoder: inout ObjectEncoder, at index: Int
  ) throws {
    guard encoder.wanted == nil else { return }
    let stored = try encoder.table.linking(from: index) {
      try value._$elementValue(encoder.adder)
    }
    try encoder._$set(index, value: stored)
  }

  /// Returns the stored value, and adds the objects in it to the store.
  public func _$elementValue(_ adder: ObjectAdder) throws -> PropertyValue {
    try stored(known: adder.reference) { try adder.reference(to: $0) }
  }
}

extension AnyValue {
  /// Makes a value from a stored value of a session's store. Returns nil for a link, which cannot
  /// be in such a value.
  init?(_ value: PropertyValue, in session: Session?) {
    switch value {
    case .null: self = .none
    case .link: return nil
    case .object(let reference): self = AnyValue(reference, in: session)
    case .list(let values):
      self = .list(values.map { AnyValue($0, in: session) ?? .none })
    case .map(let values):
      self = .map(values.mapValues { AnyValue($0, in: session) ?? .none })
    default: self.init(scalar: value)
    }
  }

  private init(_ reference: ObjectReference, in session: Session?) {
    guard let session, let table = session.find(reference.classID) else {
      let name = session?.loaded[reference.classID]?.name
      self = .unknownObject(className: name ?? "class \(reference.classID.rawValue)", reference)
      return
    }
    guard let type = (session.modelTypes as? ModelRegistry)?.types[table.name] else {
      self = .unknownObject(className: table.name, reference)
      return
    }
    let found = ModelRow(session, table, reference.id).target(reference.id, in: table)
    self = found.map { .object(type.init(_$row: $0)) } ?? .none
  }

  /// Returns the stored value. `link` and `known` convert the objects in it.
  ///
  /// Values nested beyond the limit are cut off one level later, so that the engine still sees that
  /// they are too deep and throws.
  private func stored(
    depth: Int = 0, known: (ObjectReference) throws -> PropertyValue,
    _ link: (any Model) throws -> PropertyValue
  ) rethrows -> PropertyValue {
    if depth > Self.depthLimit + 1 { return .null }
    switch self {
    case .object(let object): return try link(object)
    case .unknownObject(_, let reference): return try known(reference)
    case .list(let values):
      return .list(try values.map { try $0.stored(depth: depth + 1, known: known, link) })
    case .map(let values):
      return .map(try values.mapValues { try $0.stored(depth: depth + 1, known: known, link) })
    default: return scalar ?? .null
    }
  }
}
