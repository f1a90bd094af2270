public import Foundation
public import WhimbrelEngine

/// A description of an online migration that is under way. Objects are converted one by one, and
/// some are still stored in the form of an earlier schema version.
public struct TransitionDescription: Hashable, Sendable, Codable {
  /// The date when the migration began, or nil if it cannot be read.
  public let started: Date?
  /// The number of objects that got the default of a property because a rule has not set it.
  public let unset: Int
  /// The classes whose objects are converted, sorted by name.
  public let classes: [ClassProgress]

  /// The progress of the objects of a class.
  public struct ClassProgress: Hashable, Sendable, Codable {
    /// The name of the class.
    public let name: String
    /// The schema versions of the objects that may not be converted yet, oldest first.
    public let versions: [SchemaVersion]
    /// The number of objects that the migration has not visited yet, and at most the number of
    /// objects that the class has now. At most this many are not converted: the app may have
    /// converted or removed some of them.
    public let waiting: Int
    /// The number of objects when the migration began.
    public let total: Int
    /// The number of objects that were visited and cannot be converted.
    public let failedCount: Int
    /// The first hundred of these objects. Each is named by its primary key, or by `id:` and its ID
    /// if it has no key or if the key cannot be read.
    public let failed: [String]
  }
}

extension StoreOverview {
  /// Describes the online migration that is under way, without reading the objects.
  func describeTransition(_ session: Session) throws -> TransitionDescription? {
    guard catalog.isInTransition else { return nil }
    let state = try TransitionState(in: session.view)
    let classes = try session.classes.sorted { $0.name < $1.name }.compactMap { table in
      try table.resolved.entry.transition.map { transition in
        let walk = state?.walks.first { $0.classID == table.resolved.id }
        let count = try table.count()
        let total = walk?.total ?? count
        // Objects may have been removed since the migration began.
        let waiting = min(max(total - (walk?.visited ?? 0), 0), count)
        return TransitionDescription.ClassProgress(
          name: table.name, versions: transition.shapes.map(\.version),
          waiting: walk?.isOver == true ? 0 : waiting, total: total,
          failedCount: walk?.failedCount ?? 0,
          failed: (walk?.failed ?? []).map { $0.primaryKey ?? ClassTable.name(of: $0.id) })
      }
    }
    return TransitionDescription(
      started: state?.start, unset: state?.unsetCount ?? 0, classes: classes)
  }
}

extension TransitionDescription {
  /// The description as text for people, with a line end.
  var text: String {
    let since = started.map { ", started \(DateText.words($0))" } ?? ""
    let head = ["class", "from version", "objects", "not visited", "cannot be converted"]
    let rows = classes.map { entry in
      [
        PlainText.escaped(entry.name), entry.versions.map(String.init).joined(separator: ", "),
        String(entry.total), String(entry.waiting), String(entry.failedCount),
      ]
    }
    var text = "online migration under way\(since)\n"
    text += TextTable([head] + rows, indent: 2, rightAligned: [2, 3, 4]).description
    for entry in classes where !entry.failed.isEmpty {
      let names = entry.failed.prefix(10).map(PlainText.escaped).joined(separator: ", ")
      let more = entry.failedCount > 10 ? " … \(entry.failedCount) in all" : ""
      text +=
        "  objects of \(PlainText.quoted(entry.name)) that cannot be converted: \(names)\(more)\n"
    }
    if unset > 0 {
      text +=
        "  \(StoreError.count(unset, "object")) got a default, because no rule set a value\n"
    }
    return text
  }
}
