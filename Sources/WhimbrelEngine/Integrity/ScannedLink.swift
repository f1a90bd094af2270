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
