internal import WhimbrelEngine

/// A loader of the objects of one class from the lines of a dump.
///
/// While objects arrive in the order of their IDs, they are only appended. The indexes, with the
/// primary key, are built from all of them at the end, which is several times faster than one by
/// one. Repetitions of unique values are then reported with the same line as if they had been found
/// at once.
final class ClassLoader {
  let table: ClassTable
  /// The entry of the class in the header.
  let header: DumpHeader.ClassObjectIDs?
  private let reader: ValueReader
  private let records: RecordReader
  private(set) var count = 0
  /// Whether objects are appended, without index entries.
  private(set) var isAppending: Bool
  /// The indexes of properties of any type whose values link to objects.
  private(set) var referring: Set<Int> = []
  private var lastID: ObjectID?
  /// The line of the first object, or nil if the lines of the class are not consecutive or not in
  /// the order of the IDs.
  private(set) var firstLine: Int?

  /// The result of adding a line.
  enum Outcome {
    case added
    /// The line does not have the exact form that a dump writes. The JSON parser must read it.
    case unusual
    /// The indexes must be built before the line can be added.
    case needsIndexes
  }

  init(
    _ table: ClassTable, _ header: DumpHeader.ClassObjectIDs?, _ reader: ValueReader,
    _ keys: DumpKeys
  ) {
    self.table = table
    self.header = header
    self.reader = reader
    records = RecordReader(table, reader, keys)
    isAppending = table.canAppend
  }

  /// Adds the object of a line that has the exact form that a dump writes.
  func add(_ line: [UInt8], number: Int) throws -> Outcome {
    let properties = table.resolved.properties
    let header = records.read(line) { position, value in
      try set(position, value, of: properties[position], at: 0)
    }
    guard let header else { return .unusual }
    if isAppending, !isInOrder(header.id, number) { return .needsIndexes }
    try insert(header.id, at: header.offset, header.valuesOffset)
    note(header.id, number)
    return .added
  }

  /// Adds the object of a parsed line.
  func add(_ object: DumpLine, line: Int) throws -> Outcome {
    let (id, members) = (ObjectID(rawValue: object.id), object.values)
    table.encoder.begin()
    var used = 0
    for (position, property) in table.resolved.properties.enumerated() {
      if let member = Self.member(property.name, in: members, near: position) {
        used += 1
        let value = try table.naming(property) { try reader.value(member.value, of: property) }
        try set(position, value, of: property, at: member.value.offset)
      } else if let value = property.makeDefault(nil) {
        try set(position, value, of: property, at: object.valuesOffset)
      } else {
        throw JSONProblem(
          object.valuesOffset, "\(PlainText.quoted(property.name)) is required and has no value")
      }
    }
    if used < members.count { throw surplus(members) }
    if isAppending,
      !isInOrder(id, line) || records.valuesOffset(of: id) != object.valuesOffset
    {
      return .needsIndexes
    }
    try insert(id, at: object.idOffset, object.valuesOffset)
    note(id, line)
    return .added
  }

  /// Returns the member with a name. Looks first at the property's own index, where a dump writes
  /// it.
  private static func member(
    _ name: String, in members: [JSONNode.Member], near position: Int
  ) -> JSONNode.Member? {
    if position < members.count, members[position].name == name { return members[position] }
    return members.first { $0.name == name }
  }

  private func surplus(_ members: [JSONNode.Member]) -> JSONProblem {
    var seen: Set<String> = []
    for member in members {
      let name = PlainText.quoted(member.name)
      if table.resolved.position(of: member.name) == nil {
        return JSONProblem(
          member.offset, "class \(PlainText.quoted(table.name)) has no property \(name)")
      }
      if !seen.insert(member.name).inserted {
        return JSONProblem(member.offset, "\(name) occurs twice")
      }
    }
    return JSONProblem(members.first?.offset ?? 0, "a value occurs twice")
  }

  /// Stores a value. Values and elements of collections need not be cases of their enum, because a
  /// store may hold cases of an older schema.
  private func set(
    _ position: Int, _ value: PropertyValue, of property: CatalogProperty, at offset: Int
  ) throws {
    if table.resolved.openLinks.contains(position), !value.linkTargets.isEmpty {
      referring.insert(position)
    }
    do {
      switch value {
      case .string(let text) where property.type == .string:
        try table.encoder.set(position, text)
      case .int(let number) where property.type.isInteger:
        table.encoder.set(position, bits: UInt64(bitPattern: number))
      default: try table.encoder.setDumped(position, value)
      }
    } catch let error as StoreError {
      throw JSONProblem(offset, reason(of: error))
    }
  }

  private func insert(_ id: ObjectID, at offset: Int, _ valuesOffset: Int) throws {
    if table.resolved.isClustered {
      guard case .int(let key) = try table.encodedPrimaryKey(), ObjectID(clusteredKey: key) == id
      else {
        throw JSONProblem(
          offset,
          "the ID \(id) does not belong to the primary key \(try table.encodedPrimaryKey().text)")
      }
    }
    if let lastID, id <= lastID, try table.record(id) != nil {
      let key = table.resolved.key(of: id).map { PlainText.quoted($0.text) }
      throw JSONProblem(
        offset, "object \(key ?? "\(id)") of \(PlainText.quoted(table.name)) occurs twice")
    }
    do {
      if isAppending { try table.appendEncoded(id) } else { try table.insertEncoded(id) }
    } catch let error as StoreError where error.code == .embeddedHasOwner {
      let child = error.context.objectID.map { "object \($0)" } ?? "an object"
      throw JSONProblem(
        valuesOffset,
        "\(child) of \(PlainText.quoted(error.context.className ?? "")) is embedded and would "
          + "belong to two objects, or twice to one object")
    } catch let error as StoreError
      where [.duplicatePrimaryKey, .duplicateValues, .valueTooLarge].contains(error.code)
    {
      throw JSONProblem(valuesOffset, reason(of: error))
    }
  }

  private var duplicateKeyReason: String {
    "another object of \(PlainText.quoted(table.name)) has the same primary key"
  }

  /// Returns an error of the store as a clause for the error of a line.
  func reason(of error: StoreError) -> String {
    if error.code == .duplicatePrimaryKey { return duplicateKeyReason }
    return error.reason
  }

  /// Returns whether an object has the greatest ID so far, and its line directly follows the last
  /// one.
  private func isInOrder(_ id: ObjectID, _ line: Int) -> Bool {
    guard let lastID else { return true }
    return id > lastID && firstLine.map { line == $0 + count } ?? false
  }

  private func note(_ id: ObjectID, _ line: Int) {
    if count == 0 {
      firstLine = line
    } else if let first = firstLine, line != first + count || id < lastID ?? id {
      firstLine = nil
    }
    lastID = max(lastID ?? id, id)
    count += 1
  }

  /// Returns the line of an object, or nil if the dump is not in the usual order.
  ///
  /// - Complexity: O(*n*).
  func line(of id: ObjectID) throws -> Int? {
    guard let firstLine else { return nil }
    return try firstLine + position(of: id)
  }

  /// Returns the number of objects with lower IDs.
  ///
  /// - Complexity: O(*n*).
  func position(of id: ObjectID) throws -> Int {
    var before = 0
    try table.forEachRecord { other, _ in before += other < id ? 1 : 0 }
    return before
  }

  /// Makes the following objects enter the indexes one by one.
  func stopAppending() { isAppending = false }

  /// Stores the next object ID after all objects have been added: the one in the header, unless an
  /// object has it or a greater one.
  func setNextObjectID() throws {
    var free: UInt64?
    if !table.resolved.isClustered, let lastID, lastID.rawValue < .max {
      free = lastID.rawValue + 1
    }
    if let next = [header?.next?.rawValue, free].compactMap(\.self).max() {
      try table.setNextObjectID(next)
    }
  }
}
