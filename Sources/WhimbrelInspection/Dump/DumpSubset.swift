internal import WhimbrelEngine
internal import WhimbrelLMDB

/// The objects of a store that a dump has.
///
/// Its memory grows with the number of objects in it, by some 16 bytes each; a class of which
/// all objects are in it takes none.
struct DumpSubset {
  /// What is in it of a class that is not here: nothing.
  private var objects: [ClassID: Objects] = [:]
  private let outgoingLinks: StoreDump.Options.OutgoingLinks

  private enum Objects {
    case all
    case these(Set<ObjectID>)
  }

  /// Nothing.
  init(_ outgoingLinks: StoreDump.Options.OutgoingLinks) {
    self.outgoingLinks = outgoingLinks
  }

  /// Whether an object is in it.
  func contains(_ id: ObjectID, of classID: ClassID) -> Bool {
    switch objects[classID] {
    case .all: true
    case .these(let ids): ids.contains(id)
    case nil: false
    }
  }

  /// How many objects of a class are in it.
  func count(of table: ClassTable) throws -> Int {
    switch objects[table.resolved.id] {
    case .all: try table.count()
    case .these(let ids): ids.count
    case nil: 0
    }
  }

  /// Adds all objects of a class.
  mutating func insertAll(of classID: ClassID) { objects[classID] = .all }

  /// Adds an object, and returns whether it was not there before.
  mutating func insert(_ id: ObjectID, of classID: ClassID) -> Bool {
    switch objects.removeValue(forKey: classID) {
    case .all:
      objects[classID] = .all
      return false
    case .these(var ids):
      // Taken out of the dictionary before, so that it is not copied.
      let isNew = ids.insert(id).inserted
      objects[classID] = .these(ids)
      return isNew
    case nil:
      objects[classID] = .these([id])
      return true
    }
  }

  /// Calls `body` with each object of a class that is in it, in the order of the IDs.
  func forEachRecord(
    of table: ClassTable, _ body: (ObjectID, PageBytes) throws -> Void
  ) throws {
    switch objects[table.resolved.id] {
    case .all: try table.forEachRecord(body)
    case .these(let ids):
      for id in ids.sorted() {
        guard let record = try table.record(id) else { continue }
        try body(id, record)
      }
    case nil: break
    }
  }
}

// MARK: - Links

extension DumpSubset {
  /// The value of a property without links that lead out.
  ///
  /// - Throws: ``InspectionError`` with `linkLeadsOut` where these are refused.
  func trimmed(
    _ value: PropertyValue, _ position: Int, of id: ObjectID, in table: ClassTable
  ) throws -> PropertyValue {
    let property = table.resolved.properties[position]
    guard property.type.holdsLinks else { return value }
    let target = try property.type.linkedClass.map { try table.session.table($0).resolved.id }
    var leadsOut = false
    let trimmed = kept(value, linkingTo: target, &leadsOut) ?? .null
    if leadsOut, outgoingLinks == .refused {
      throw InspectionError.linkLeadsOut(
        property.name, of: try table.objectName(id), class: table.name)
    }
    return trimmed
  }

  /// What of a value stays, or nil when it is a link that leads out. Values are not nested more
  /// than a hundred levels deep.
  private func kept(
    _ value: PropertyValue, linkingTo target: ClassID?, _ leadsOut: inout Bool
  ) -> PropertyValue? {
    switch value {
    case .link(let id):
      if let target, contains(id, of: target) { return value }
    case .object(let reference):
      if contains(reference.id, of: reference.classID) { return value }
    case .list(let elements):
      return .list(elements.compactMap { kept($0, linkingTo: target, &leadsOut) })
    case .map(let elements):
      return .map(elements.compactMapValues { kept($0, linkingTo: target, &leadsOut) })
    default: return value
    }
    leadsOut = true
    return nil
  }
}
