import Testing
import Whimbrel

/// A copy of observed sections that only follows what it is told, and is compared with the sections.
final class SectionsMirror<Key: Hashable> {
  let name: String
  private let sections: SectionedResults<Key, Harbor>
  private let mayRepeat: Bool
  private var keys: [Key] = []
  private var ids: [[ObjectID]] = []
  private var values: [ObjectID: String] = [:]
  private var modified: Set<ObjectID> = []
  private var problem: String?
  private(set) var updateCount = 0
  private(set) var initialCount = 0
  private var tokens: [ObservationToken] = []
  /// The sections that are observed one by one.
  private var members: [Key: [ObjectID]] = [:]

  init(_ name: String, _ sections: SectionedResults<Key, Harbor>, mayRepeat: Bool = false) {
    self.name = name
    self.sections = sections
    self.mayRepeat = mayRepeat
    tokens.append(
      sections.observe { [unowned self] change in
        switch change {
        case .initial(let sections):
          initialCount += 1
          (keys, ids) = (sections.allKeys, sections.map { Array($0.ids) })
        case .update(let sections, let update): take(update, sections)
        case .error(let error): problem = "\(error)"
        }
      })
    for section in sections { observe(section) }
    refreshValues()
  }

  private func observe(_ section: ResultsSection<Key, Harbor>) {
    let key = section.key
    tokens.append(
      section.observe { [unowned self] change in
        switch change {
        case .initial(let section): members[key] = section.ids
        case .update(let section, let update):
          var next = members[key] ?? []
          for position in update.deletions.reversed() { next.remove(at: position) }
          for position in update.insertions { next.insert(update.ids[position], at: position) }
          if next != section.ids || update.idsBefore != members[key] {
            problem = "section \(key): \(update)"
          }
          members[key] = next
        case .error(let error): problem = "\(error)"
        }
      })
  }

  private func take(_ update: SectionedUpdate, _ now: SectionedResults<Key, Harbor>) {
    updateCount += 1
    let (newKeys, newIDs) = (now.allKeys, now.map { Array($0.ids) })
    checkStays(update, newKeys, newIDs)
    for (from, to) in zip(update.modificationsBefore, update.modifications)
    where ids[from.section][from.item] != newIDs[to.section][to.item] {
      problem = "\(from) and \(to) are not the same object"
    }
    for place in update.deletions.reversed() { ids[place.section].remove(at: place.item) }
    for section in update.deletedSections.reversed() {
      keys.remove(at: section)
      ids.remove(at: section)
    }
    for section in update.insertedSections {
      keys.insert(newKeys[section], at: section)
      ids.insert(newIDs[section], at: section)
      for id in newIDs[section] { values[id] = nil }
    }
    for place in update.insertions {
      let id = newIDs[place.section][place.item]
      ids[place.section].insert(id, at: place.item)
      values[id] = nil
    }
    if keys != newKeys || ids != newIDs {
      problem = "became \(keys) \(ids), and not \(newKeys) \(newIDs), by \(update)"
    }
    (keys, ids) = (newKeys, newIDs)
    modified.formUnion(update.modifications.map { newIDs[$0.section][$0.item] })
  }

  /// Checks that as few sections and objects go and come as can be, and that nothing is told twice.
  private func checkStays(
    _ update: SectionedUpdate, _ newKeys: [Key], _ newIDs: [[ObjectID]]
  ) {
    let lists = [update.deletions, update.insertions, update.modifications]
    for list in lists + [update.modificationsBefore] where list != Array(Set(list)).sorted() {
      problem = "positions do not ascend: \(update)"
    }
    if keys.count - update.deletedSections.count != ObservedMirror.longestStay(keys, newKeys) {
      problem = "\(update.deletedSections) of \(keys) are too many for \(newKeys)"
    }
    if lists.allSatisfy(\.isEmpty), update.deletedSections.isEmpty, update.insertedSections.isEmpty
    {
      problem = "an empty change was told"
    }
    if update.deletions.contains(where: { update.deletedSections.contains($0.section) })
      || update.insertions.contains(where: { update.insertedSections.contains($0.section) })
    {
      problem = "objects of deleted or inserted sections are listed: \(update)"
    }
    for (section, key) in keys.enumerated() where !update.deletedSections.contains(section) {
      guard let new = newKeys.firstIndex(of: key), !mayRepeat else { continue }
      let count = update.deletions.count { $0.section == section }
      if ids[section].count - count != ObservedMirror.longestStay(ids[section], newIDs[new]) {
        problem = "too many objects leave section \(section): \(update)"
      }
    }
  }

  private func refreshValues() {
    for section in sections {
      for harbor in section {
        guard let id = harbor.objectID else { continue }
        values[id] = "\(harbor.name) \(harbor.size) \(harbor.rank) \(harbor.coast?.code ?? "-")"
      }
    }
  }

  /// Compares the copy with the sections.
  func check(_ note: String) {
    if let problem { Issue.record("\(name), \(note): \(problem)") }
    problem = nil
    #expect(keys == sections.allKeys, "\(name), \(note)")
    #expect(ids == sections.map { Array($0.ids) }, "\(name), \(note)")
    let live = Dictionary(uniqueKeysWithValues: sections.map { ($0.key, Array($0.ids)) })
    for (key, ids) in members {
      #expect(ids == live[key] ?? [], "\(name), section \(key), \(note)")
    }
    let before = values
    values = [:]
    refreshValues()
    for (id, value) in values {
      guard let old = before[id], old != value else { continue }
      #expect(modified.contains(id), "\(name), \(note): \(id) was modified, \(old) to \(value)")
    }
    modified = []
  }
}
