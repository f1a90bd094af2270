extension IntegrityCheck {
  /// A problem and its place in the store.
  package struct Finding: Hashable, Sendable, CustomStringConvertible {
    /// The part of the store with the problem.
    package enum Kind: String, CaseIterable, Sendable {
      case page, unreachablePages, header, catalog, table
      case record, part, primaryKey, index, link, owner, nextObjectID
    }

    package var kind: Kind
    package var className: String?
    package var object: ObjectID?
    /// The object's primary key, if it follows from the object ID.
    package var key: PropertyValue?
    package var property: String?
    package var page: UInt64?
    package var problem: String

    /// The place and the problem, in one line.
    package var description: String {
      if let className {
        let subject = object.map { "\(Sentence.object($0, key)) of class '\(className)'" }
        return (subject ?? "class '\(className)'") + ": \(problem)"
      }
      return page.map { "page \($0): \(problem)" } ?? problem
    }
  }

  /// A list of findings that counts all and keeps the first.
  package struct Findings: Sendable {
    package private(set) var kept: [Finding] = []
    package private(set) var count = 0
    let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Whether the list keeps no further findings.
    var isFull: Bool { kept.count >= limit }

    mutating func add(_ finding: Finding) {
      count += 1
      if !isFull { kept.append(finding) }
    }

    mutating func add(
      _ kind: Finding.Kind, _ table: ScannedClass, _ id: ObjectID?, property: String? = nil,
      _ problem: String
    ) {
      add(
        Finding(
          kind: kind, className: table.name, object: id, key: id.flatMap(table.resolved.key),
          property: property, problem: problem))
    }

    /// Counts findings without details.
    mutating func addUnkept(_ count: Int) { self.count += count }

    /// Sorts the kept findings by object.
    mutating func sort() {
      // Findings about one object stay in their order.
      let order = kept.indices.sorted {
        (kept[$0].object?.rawValue ?? 0, $0) < (kept[$1].object?.rawValue ?? 0, $1)
      }
      kept = order.map { kept[$0] }
    }

    mutating func append(_ other: Findings) {
      count += other.count
      kept += other.kept.prefix(max(limit - kept.count, 0))
    }
  }
}
