internal import WhimbrelLMDB

/// A property that may hold links, as the check sees it.
final class ScannedLink {
  /// The name of the property.
  let name: String
  private let position: Int
  /// The class that links of the property lead to, when they lead to one.
  private let linkedClass: String?
  /// What they lead to; nil when there is no such class.
  private let target: LinkTargets.Objects?
  /// What references to objects of any class lead to.
  private let targets: LinkTargets

  init(_ position: Int, of resolved: ResolvedClass, _ targets: LinkTargets) {
    name = resolved.properties[position].name
    self.position = position
    self.targets = targets
    linkedClass = resolved.properties[position].type.linkedClass
    target = linkedClass.flatMap { targets[$0] }
  }

  /// What is said of a link that leads to something that is not there.
  func problem(_ missing: LinkTarget) -> String {
    let (id, className) =
      switch missing {
      case .object(let id): (id, linkedClass)
      case .reference(let reference): (reference.id, targets.name(of: reference.classID))
      }
    let place = className.map { "of class '\($0)'" } ?? "of a class that is unknown"
    return "its link '\(name)' leads to object \(id) \(place), which is not there"
  }

  /// Calls `body` with what links of a record lead to that is not there.
  ///
  /// - Throws: ``DamagedRecord`` or ``DamagedCollection``.
  @inline(__always)
  func forEachMissing(
    of record: PageBytes, _ layout: ResolvedLayout, _ extents: @autoclosure () -> Extents,
    _ view: ReadView, _ body: (LinkTarget) -> Void
  ) throws {
    switch layout.plainLink(position, of: record) {
    case .none: return
    case .object(let id):
      if try target?.contains(id, view) != true { body(.object(id)) }
    case .unknown:
      for found in try layout.value(position, of: record, extents()).linkTargets {
        let isThere =
          switch found {
          case .object(let id): try target?.contains(id, view)
          case .reference(let reference):
            try targets[reference.classID]?.contains(reference.id, view)
          }
        if isThere != true { body(found) }
      }
    }
  }
}

/// Counts the links that lead to the objects of an embedded class.
final class OwnerCounter {
  /// Places in the indexes of all properties that lead to the class.
  private let cursors: [Cursor]

  /// Makes one, or nil when not all links can be read.
  init?(_ table: ScannedClass, _ classes: [ScannedClass], _ view: ReadView) throws {
    var cursors: [Cursor] = []
    for source in classes {
      for position in source.resolved.links
      where source.resolved.properties[position].type.linkedClass == table.name {
        guard let index = source.index(ofProperty: position) else { return nil }
        cursors.append(try view.cursor(index.table))
      }
    }
    self.cursors = cursors
  }

  /// How many links lead to an object.
  func count(of id: ObjectID) throws -> Int {
    var total = 0
    // The keys begin with what is linked to.
    var prefix = id.rawValue.bigEndian
    for cursor in cursors {
      var isInside = try PageBytes.with(&prefix) { try cursor.seek(atLeast: $0) }
      while isInside, cursor.key.count >= 8, cursor.key.loadBigEndian(at: 0) == id.rawValue {
        if cursor.key.count == 16 { total += IndexEntry.count(cursor.value) }
        isInside = try cursor.move(to: .next)
      }
    }
    return total
  }
}
