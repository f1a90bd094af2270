internal import WhimbrelLMDB

/// A property that may hold links, with the objects that they may lead to.
final class ScannedLink {
  let name: String
  private let position: Int
  /// The only class that the property can link to, or nil for any class.
  private let linkedClass: String?
  /// The objects of that class, or nil if the class does not exist.
  private let target: LinkTargets.Objects?
  /// The objects that links to any class may lead to.
  private let targets: LinkTargets

  init(_ position: Int, of resolved: ResolvedClass, _ targets: LinkTargets) {
    name = resolved.properties[position].name
    self.position = position
    self.targets = targets
    linkedClass = resolved.properties[position].type.linkedClass
    target = linkedClass.flatMap { targets[$0] }
  }

  enum Fault {
    case isMissing
    /// A value of any type leads to an embedded object, which belongs to another object.
    case isEmbedded
  }

  /// Returns the problem of a link in words.
  func problem(_ target: LinkTarget, _ fault: Fault) -> String {
    let (id, className) =
      switch target {
      case .object(let id): (id, linkedClass)
      case .reference(let reference): (reference.id, targets.name(of: reference.classID))
      }
    let object = targets.description(of: id, in: className)
    let place = className.map { "of class '\($0)'" } ?? "of an unknown class"
    return switch fault {
    case .isMissing: "its link '\(name)' leads to \(object) \(place), which does not exist"
    case .isEmbedded:
      "its value '\(name)' leads to \(object) \(place), which is embedded: only a link to its "
        + "class may lead to it"
    }
  }

  /// Calls `body` for each link of a record whose target is missing or must not be linked to.
  ///
  /// - Throws: ``DamagedRecord``.
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
