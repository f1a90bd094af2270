internal import Foundation
internal import WhimbrelLMDB

/// A check of the main table: the tables are those of the catalog with the right kinds of keys, and
/// all other entries are known.
struct MainTableCheck {
  private let loaded: LoadedCatalog
  private let view: ReadView
  private let survey: FileStructure.Survey
  private let kept: PreviousGeneration?

  init(_ loaded: LoadedCatalog, _ view: ReadView, _ survey: FileStructure.Survey) throws {
    (self.loaded, self.view, self.survey) = (loaded, view, survey)
    kept = try PreviousGeneration(in: view)
  }

  /// Adds problems and notes to a report.
  func run(_ report: inout FileCheck.Report) throws {
    checkHeader(&report)
    checkTables(&report)
    try checkValues(&report)
    try checkMigration(&report)
    try checkTransition(&report)
  }

  private func add(
    _ kind: IntegrityCheck.Finding.Kind, _ problem: String, class className: String? = nil,
    to report: inout FileCheck.Report
  ) {
    report.findings.add(
      IntegrityCheck.Finding(kind: kind, className: className, problem: problem))
  }

  /// Checks that the header matches the catalog. Their checksums have been checked before.
  private func checkHeader(_ report: inout FileCheck.Report) {
    let needed = loaded.catalog.neededFormat
    if loaded.header.formatVersion < needed {
      add(
        .header,
        "the header has format \(loaded.header.formatVersion), but the catalog needs \(needed)",
        to: &report)
    }
  }

  private func checkTables(_ report: inout FileCheck.Report) {
    let named = Dictionary(keepingFirst: survey.tables.map { ($0.name, $0) })
    var known: Set<String> = []
    for entry in loaded.catalog.classes {
      for name in entry.tableNames {
        known.insert(name.name)
        guard let found = named[name.name] else {
          let isOverflow = name == TableNames.overflow(entry)
          if isOverflow, loaded.header.formatVersion < Header.formatWithOverflow { continue }
          add(.table, "its table '\(name.name)' is missing", class: entry.name, to: &report)
          continue
        }
        if found.keys != name.keys {
          add(
            .table, "its table '\(name.name)' has the wrong kind of keys", class: entry.name,
            to: &report)
        }
        if survey.damagedTables.contains(name.name) {
          report.unchecked.append("the table '\(name.name)' of class '\(entry.name)'")
        }
      }
    }
    let previous = Set(((try? kept?.tableNames()) ?? []).map(\.name)).subtracting(known)
    let leftovers = survey.tables.map(\.name).filter { !known.contains($0) }
    if leftovers.contains(where: previous.contains) {
      report.notes.append(
        "the objects from before the last migration are kept, so that it can be undone")
    }
    for name in leftovers.sorted() where !previous.contains(name) {
      if isOurs(name) {
        report.notes.append(
          "the table '\(name)' does not belong to a class: an interrupted migration left it")
      } else {
        add(.table, "the table '\(name)' does not belong to a store", to: &report)
      }
    }
  }

  /// Returns whether a name has the form of a class's table.
  private func isOurs(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), number(parts[0], "c") != nil, number(parts[1], "g") != nil
    else { return false }
    guard parts.count == 3 else { return true }
    return ["x", "owned", "released"].contains(parts[2])
      || ["key", "index", "values", "k", "i", "n", "links", "lookup"].contains {
        number(parts[2], $0) != nil
      }
  }

  /// Returns the number after a prefix, if it is in canonical form.
  private func number(_ text: Substring, _ prefix: String) -> UInt32? {
    guard text.hasPrefix(prefix), let number = UInt32(text.dropFirst(prefix.count)),
      text == "\(prefix)\(number)"
    else { return nil }
    return number
  }

  private func checkValues(_ report: inout FileCheck.Report) throws {
    let tables = Set(survey.tables.map(\.name))
    let others = [
      MainKey.header, MainKey.catalog, MainKey.migration, MainKey.previous, MainKey.seal,
      MainKey.transition,
    ]
    let cursor = try view.cursor(.main)
    var isInside = try cursor.move(to: .first)
    while isInside {
      let name = cursor.key.text
      let isCount = TableName.counted(by: name).map(tables.contains) == true
      if !tables.contains(name), !others.contains(name), !isCount {
        let id = number(name[...], "next.")
        if id == nil || cursor.value.count != 8 {
          add(.table, "the entry '\(name)' does not belong to a store", to: &report)
        }
      }
      isInside = try cursor.move(to: .next)
    }
  }

  private func checkTransition(_ report: inout FileCheck.Report) throws {
    let isStated = try view.value(.main, MainKey.transition) != nil
    guard loaded.catalog.isInTransition else {
      if isStated {
        report.notes.append("the progress of a finished online migration is still stored")
      }
      return
    }
    for entry in loaded.catalog.classes {
      guard let version = entry.transition?.shapes.first?.version else { continue }
      report.notes.append(
        "an online migration is under way: objects of class '\(entry.name)' may still have "
          + "version \(version)")
    }
    if isStated, try TransitionState(in: view) == nil {
      report.notes.append(
        "the progress of the online migration cannot be read: it will check all objects again")
    }
  }

  private func checkMigration(_ report: inout FileCheck.Report) throws {
    if let mark = try view.value(.main, MainKey.migration) {
      guard mark.count >= 16 else {
        return add(.table, "the mark of a migration is too short", to: &report)
      }
      report.notes.append(
        mark.load(UInt64.self, at: 8) == 0
          ? "a migration is under way, or was interrupted: the next opening cleans up after it"
          : "a migration has left tables behind: the next opening removes them")
    }
    if try view.value(.main, MainKey.previous) != nil, kept == nil {
      add(
        .table, "the data kept to undo a migration is damaged; nothing else depends on it",
        to: &report)
    }
  }
}

extension Catalog {
  /// The first format that has what this catalog says.
  fileprivate var neededFormat: UInt32 {
    // In a transition it is the next number. No store is in transition before its indexes are
    // guarded.
    isInTransition
      ? max(neededFormatAfterTransition, Header.formatWithGuardedIndexes) + 1
      : neededFormatAfterTransition
  }

  private var neededFormatAfterTransition: UInt32 {
    if classes.contains(where: { $0.layouts.contains(where: \.isCompact) }) {
      return Header.currentFormat
    }
    if classes.contains(where: { $0.salt != .none }) { return Header.formatWithSalts }
    if classes.contains(where: \.guardsIndexes) { return Header.formatWithGuardedIndexes }
    return classes.contains { !$0.indexes.isEmpty } ? 3 : 1
  }
}
