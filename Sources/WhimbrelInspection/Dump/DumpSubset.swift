package import WhimbrelEngine
internal import WhimbrelLMDB

/// The set of objects that a dump contains.
///
/// A selected object takes about 16 bytes of memory. A class that is selected as a whole takes
/// none.
struct DumpSubset {
  /// The selected objects by class. A class without an entry has no selected objects.
  private var objects: [ClassID: Objects] = [:]
  private let outgoingLinks: StoreDump.Options.OutgoingLinks

  private enum Objects {
    case all
    case these(Set<ObjectID>)
  }

  /// Creates an empty subset.
  init(_ outgoingLinks: StoreDump.Options.OutgoingLinks) {
    self.outgoingLinks = outgoingLinks
  }

  func contains(_ id: ObjectID, of classID: ClassID) -> Bool {
    switch objects[classID] {
    case .all: true
    case .these(let ids): ids.contains(id)
    case nil: false
    }
  }

  /// Returns the number of selected objects of a class.
  func count(of table: ClassTable) throws -> Int {
    switch objects[table.resolved.id] {
    case .all: try table.count()
    case .these(let ids): ids.count
    case nil: 0
    }
  }

  mutating func insertAll(of classID: ClassID) { objects[classID] = .all }

  /// Adds an object. Returns false if it was in the subset already.
  mutating func insert(_ id: ObjectID, of classID: ClassID) -> Bool {
    switch objects.removeValue(forKey: classID) {
    case .all:
      objects[classID] = .all
      return false
    case .these(var ids):
      // `removeValue` took the set out of the dictionary, so this insertion does not copy it.
      let isNew = ids.insert(id).inserted
      objects[classID] = .these(ids)
      return isNew
    case nil:
      objects[classID] = .these([id])
      return true
    }
  }

  /// Calls `body` with each selected object of a class, in the order of the object IDs.
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
  /// Returns the value of a property without the links that lead out of the subset.
  ///
  /// - Throws: ``InspectionError`` with `linkLeadsOut` if the options refuse outgoing links.
  func trimmed(
    _ value: PropertyValue, _ position: Int, of id: ObjectID, in table: ClassTable
  ) throws -> PropertyValue {
    let property = table.resolved.properties[position]
    guard property.type.holdsLinks else { return value }
    let target = property.type.linkedClass.flatMap { table.session.find($0)?.resolved.id }
    var leadsOut = false
    let trimmed = value.keepingLinks { link in
      let isKept =
        switch link {
        case .object(let id): target.map { contains(id, of: $0) } ?? false
        case .reference(let reference): contains(reference.id, of: reference.classID)
        }
      leadsOut = leadsOut || !isKept
      return isKept
    }
    if leadsOut, outgoingLinks == .refused {
      throw InspectionError.linkLeadsOut(
        property.name, of: try table.objectName(id), class: table.name)
    }
    return trimmed ?? .null
  }
}

extension PropertyValue {
  /// Returns the value without the links that do not satisfy a condition: they are removed from
  /// lists and maps. Returns nil if the value itself is such a link. The recursion is safe because
  /// values are nested at most 100 levels deep.
  package func keepingLinks(where keeps: (LinkTarget) -> Bool) -> PropertyValue? {
    switch self {
    case .link(let id): return keeps(.object(id)) ? .some(self) : .none
    case .object(let reference): return keeps(.reference(reference)) ? .some(self) : .none
    case .list(let elements):
      return .list(elements.compactMap { $0.keepingLinks(where: keeps) })
    case .map(let elements):
      return .map(elements.compactMapValues { $0.keepingLinks(where: keeps) })
    default: return self
    }
  }
}
