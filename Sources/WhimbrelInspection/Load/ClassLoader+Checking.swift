internal import WhimbrelEngine

/// The checks that need all objects of the dump.
extension ClassLoader {
  /// A problem with an object.
  struct Problem {
    let id: ObjectID
    let reason: String
  }

  private func name(_ id: ObjectID, of table: ClassTable) -> String {
    let key = table.primaryKey(of: id).map { PlainText.quoted($0.text) }
    return "object \(key ?? "\(id)") of class \(PlainText.quoted(table.name))"
  }

  /// Returns the first link to a missing object, including links in collections
  /// and in values of any type.
  ///
  /// - Complexity: O(*n* log *n*), in memory for the values of one object.
  func firstDanglingLink() throws -> Problem? {
    if let link = try table.firstDanglingLink() {
      let target = table.resolved.properties[link.property].type.linkedClass ?? ""
      return try problem(
        link.id, link.property, leadsTo: name(link.target, of: table.session.table(target)))
    }
    for position in referring.sorted() {
      if let problem = try firstDanglingReference(position) { return problem }
    }
    return nil
  }

  private static var isEmbedded: String {
    "which is embedded: only a link to its class may lead to it"
  }

  private func problem(
    _ id: ObjectID, _ position: Int, leadsTo target: String,
    _ reason: String = "which is not in the dump"
  ) -> Problem {
    let property = PlainText.quoted(table.resolved.properties[position].name)
    return Problem(
      id: id, reason: "\(property) of \(name(id, of: table)) leads to \(target), \(reason)")
  }

  private func firstDanglingReference(_ position: Int) throws -> Problem? {
    let tables = table.session.tablesByID
    var found: Problem?
    try table.forEachRecord { id, record in
      guard found == nil else { return }
      for case .reference(let reference) in try table.value(position, of: record, id).linkTargets {
        guard let target = tables[reference.classID] else { continue }
        let place = name(reference.id, of: target)
        if target.resolved.isEmbedded {
          found = problem(id, position, leadsTo: place, Self.isEmbedded)
        } else if try target.record(reference.id) == nil {
          found = problem(id, position, leadsTo: place)
        } else {
          continue
        }
        return
      }
    }
    return found
  }

  /// Returns the first embedded object without exactly one owner.
  ///
  /// - Complexity: O(*n* log *n*), in constant memory.
  func firstOrphan() throws -> Problem? {
    guard table.resolved.isEmbedded else { return nil }
    var found: Problem?
    try table.forEachRecord { id, _ in
      guard found == nil else { return }
      let links = try table.linkCount(to: id)
      if links == 1 { return }
      found = Problem(
        id: id,
        reason: "\(name(id, of: table)) is embedded, and "
          + (links == 0 ? "no object links to it" : "\(links) links lead to it"))
    }
    return found
  }
}
