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

  /// What may be wrong with what a link leads to.
  enum Fault {
    case isMissing
    /// A value of any type leads to an object that belongs to another.
    case isEmbedded
  }

  /// What is said of a link that leads to something wrong.
  func problem(_ target: LinkTarget, _ fault: Fault) -> String {
    let (id, className) =
      switch target {
      case .object(let id): (id, linkedClass)
      case .reference(let reference): (reference.id, targets.name(of: reference.classID))
      }
    let object = targets.description(of: id, in: className)
    let place = className.map { "of class '\($0)'" } ?? "of a class that is unknown"
    return switch fault {
    case .isMissing: "its link '\(name)' leads to \(object) \(place), which is not there"
    case .isEmbedded:
      "its value '\(name)' leads to \(object) \(place), which is embedded: only a link to its "
        + "class may lead to it"
    }
  }

  /// Calls `body` with what links of a record lead to that is not there, or may not be
  /// linked to.
  ///
  /// - Throws: ``DamagedRecord`` or ``DamagedCollection``.
  @inline(__always)
  func forEachFault(
    of record: PageBytes, _ layout: ResolvedLayout, _ overflow: @autoclosure () -> Overflow,
    _ view: ReadView, _ body: (LinkTarget, Fault) -> Void
  ) throws {
    switch layout.plainLink(position, of: record) {
    case .none: return
    case .object(let id):
      if try target?.contains(id, view) != true { body(.object(id), .isMissing) }
    case .unknown:
      for found in try layout.value(position, of: record, overflow()).linkTargets {
        switch found {
        case .object(let id):
          if try target?.contains(id, view) != true { body(found, .isMissing) }
        case .reference(let reference):
          if try targets[reference.classID]?.contains(reference.id, view) != true {
            body(found, .isMissing)
          } else if targets.isEmbedded(reference.classID) {
            body(found, .isEmbedded)
          }
        }
      }
    }
  }
}
