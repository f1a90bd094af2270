internal import WhimbrelLMDB

/// The outcome for embedded objects, with the current data.
extension MigrationPlan {
  /// The effect of a change on embedded objects.
  struct EmbeddedOutcome {
    /// The outcome for the class that becomes embedded.
    var own = Ownership()
    /// The outcomes for other classes, by name.
    var others: [(name: String, ownership: Ownership)] = []
    /// The number of values of any type that link to its objects, by the names of their properties.
    var references: [(property: String, count: Int)] = []

    var all: Ownership {
      others.map(\.ownership).reduce(own) { sum, other in
        Ownership(
          orphans: sum.orphans + other.orphans, copies: sum.copies + other.copies,
          circular: sum.circular + other.circular)
      }
    }

    /// The number of values of any type that link to objects that become embedded.
    var referenceCount: Int { references.reduce(0) { $0 + $1.count } }

    /// Whether a migration block is needed.
    var needsCode: Bool { all.circular > 0 || referenceCount > 0 }
  }

  /// The consequences of the changes for embedded objects.
  struct EmbeddedOutcomes {
    /// The outcomes by the positions of the changes.
    var byPlace: [Int: EmbeddedOutcome] = [:]
    /// The number of objects that are deleted because they lose their owners, by the names of their
    /// classes. A class is missing where the number is not known before the migration.
    var deleted: [String: Int] = [:]
  }
}

extension MigrationPlan.EmbeddedOutcomes {
  /// Determines the outcomes for the embedded objects of a file.
  init(
    of changes: [SchemaChange], _ file: StoreFile, _ declaration: Declaration
  ) throws {
    let check = try MigrationCheck(file, declaration, describesValues: false) { _ in true }
    guard check.hasEmbeddedObjects else { return }
    // The file may be a copy in which a migration is tried. Its `path` is that of the store, whose
    // pages may change meanwhile.
    try FilePreflight.checkPages(
      file.environment.path, describedAs: file.path)
    if let forecast = try check.ownershipForecast() {
      for entry in check.classes {
        let found = try forecast.outcome(of: entry)
        if forecast.isDecided { deleted[entry.draft.name] = found.orphans }
        guard found != Ownership(), let place = changes.cause(of: entry, among: check.classes)
        else { continue }
        if changes[place].embeds(entry.draft.name) {
          byPlace[place, default: .init()].own = found
        } else {
          byPlace[place, default: .init()].others.append((entry.draft.name, found))
        }
      }
    }
    try check.forEachReferenceToEmbedded { entry, _, property, target, _ in
      let name = check.classes.first { $0.draft.id == target.classID }?.draft.name ?? ""
      guard let place = changes.firstIndex(where: { $0.embeds(name) }) else { return }
      byPlace[place, default: .init()].add("\(entry.draft.name).\(property)")
    }
  }
}

extension MigrationPlan.EmbeddedOutcome {
  fileprivate mutating func add(_ property: String) {
    if let place = references.firstIndex(where: { $0.property == property }) {
      references[place].count += 1
    } else {
      references.append((property, 1))
    }
  }

  /// Sentences about what becomes of the objects, or nil if all stay as they are.
  var note: String? {
    var parts = own.sentences(of: nil)
    for (name, ownership) in others { parts += ownership.sentences(of: name) }
    if !references.isEmpty {
      let places = references.map { "\(Sentence.quoted($0.property)) (\($0.count))" }
      parts.append(
        "Values of any type lead to its objects, and the migration block must change them: "
          + "\(places.joined(separator: ", ")).")
    }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }
}

extension [SchemaChange] {
  /// Returns the position of the change that affects the objects of an embedded class.
  fileprivate func cause(of entry: CheckedClass, among classes: [CheckedClass]) -> Int? {
    if let place = firstIndex(where: { $0.embeds(entry.draft.name) }) { return place }
    func leads(_ className: String, _ property: String, to target: String?) -> Bool {
      let owner = classes.first { $0.draft.name == className }?.old
      let linked = owner?.properties.first { $0.name == property }?.type.linkedClass
      return target.map { linked == $0 } ?? (linked != nil)
    }
    func isLost(_ change: SchemaChange, to target: String?) -> Bool {
      switch change {
      case .propertyRemoved(let name, let property), .propertyRetyped(let name, let property, _, _):
        leads(name, property, to: target)
      default: false
      }
    }
    return firstIndex { isLost($0, to: entry.old.name) } ?? firstIndex { $0.embeds(nil) }
      ?? firstIndex { isLost($0, to: nil) }
  }
}

extension SchemaChange {
  /// Returns whether a class, or any, becomes embedded.
  fileprivate func embeds(_ name: String?) -> Bool {
    guard case .embeddingChanged(let found, isEmbedded: true) = self else { return false }
    return name == nil || found == name
  }
}

extension MigrationCheck {
  /// Whether the new schema has embedded objects.
  fileprivate var hasEmbeddedObjects: Bool {
    classes.contains { entry in
      entry.isEmbedded && ((try? view.count(entry.table)) ?? 1) > 0
    }
  }
}

extension Ownership {
  /// Returns sentences about what becomes of the objects of a class.
  ///
  /// - Parameter name: The name of the class, or nil if it is clear from the context.
  fileprivate func sentences(of name: String?) -> [String] {
    let objects = name.map { "Objects of \(Sentence.quoted($0))" } ?? "Objects"
    let shared = name.map { "shared objects of \(Sentence.quoted($0))" } ?? "shared objects"
    var parts: [String] = []
    if orphans > 0 { parts.append("\(objects) deleted because no link leads to them: \(orphans).") }
    if copies > 0 { parts.append("Copies made of \(shared): \(copies).") }
    if circular > 0 {
      parts.append(
        "\(objects) whose links lead back to them, which the migration block must separate: "
          + "\(circular).")
    }
    return parts
  }
}
