import Foundation
import Testing
import Whimbrel
import WhimbrelTestSupport

@Suite struct SectionsObservingTests {
  private let harbors: HarborStore
  private var store: Store { harbors.store }

  init() throws { harbors = try HarborStore() }

  private func collect<Key>(
    _ sections: SectionedResults<Key, Harbor>, _ body: @escaping (String) -> Void
  ) -> ObservationToken {
    sections.observe { change in
      switch change {
      case .initial(let sections): body("initial \(sections.count)")
      case .update(_, let update): body("\(update)")
      case .error(let error): body("error \((error as? StoreError)?.code.description ?? "?")")
      }
    }
  }

  private func text(
    _ deleted: [Int] = [], _ inserted: [Int] = [], _ deletions: String = "",
    _ insertions: String = "", _ modifications: String = ""
  ) -> String {
    """
    deleted sections \(deleted), inserted sections \(inserted), deletions [\(deletions)], \
    insertions [\(insertions)], modifications [\(modifications)]
    """
  }

  @Test func `objects are told by their positions in sections`() throws {
    var calls: [String] = []
    let token = collect(harbors.harbors.sectioned(by: \.size)) { calls.append($0) }
    try store.write { try harbors.harbor(7).name = "other" }
    try store.write { try harbors.harbor(7).size = 3 }
    try store.write { try store.delete(harbors.harbor(19)) }
    try store.write { try store.add(Harbor(id: 30, name: "new")) }
    #expect(
      calls == [
        "initial 5", text([], [], "", "", "2.1"), text([], [], "2.1", "3.1"),
        text([], [], "4.3"), text([], [], "", "0.4"),
      ])
    withExtendedLifetime(token) {}
  }

  @Test func `sections come, go and move as a whole`() throws {
    var calls: [String] = []
    let token = collect(harbors.harbors.sectioned(by: \.size)) { calls.append($0) }
    try store.write { try harbors.harbor(19).size = 9 }
    try store.write { try harbors.harbor(19).size = 3 }
    // The section of size 0 then begins with harbor 5, and comes last.
    try store.write { try store.delete(harbors.harbor(0)) }
    #expect(
      calls == [
        "initial 5", text([], [5], "4.3"), text([5], [], "", "3.4"), text([0], [4]),
      ])
    withExtendedLifetime(token) {}
  }

  @Test func `a key through a link is followed, whatever the query reads`() throws {
    var calls: [String] = []
    let sections = harbors.harbors.sectioned { $0.coast?.name ?? "-" }
    let token = collect(sections) { calls.append($0) }
    try store.write { harbors.south.name = "South" }
    #expect(sections.allKeys == ["North", "South", "-"])
    #expect(
      calls == ["initial 2", text([], [1], (0..<7).map { "1.\($0 * 2)" }.joined(separator: ", "))])
    withExtendedLifetime(token) {}
  }

  @Test func `changes of other classes are not told`() throws {
    var calls: [String] = []
    let tokens = [
      collect(harbors.harbors.sectioned(by: \.size)) { calls.append("by property \($0)") },
      collect(harbors.harbors.sectioned { $0.size }) { calls.append("by closure \($0)") },
    ]
    try store.write { try store.add(Voyage(day: 1)) }
    #expect(calls == ["by property initial 5", "by closure initial 5"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `key paths say what makes an object a modified one`() throws {
    var calls: [String] = []
    let sections = harbors.harbors.sectioned(by: \.size)
    let token = sections.observe(keyPaths: \.name) { change in
      if case .update(_, let update) = change { calls.append("\(update)") }
    }
    try store.write { try harbors.harbor(3).rank = 9 }
    try store.write { try harbors.harbor(3).name = "other" }
    try store.write { try harbors.harbor(3).size = 4 }
    #expect(calls == [text([], [], "", "", "3.0"), text([3], [4], "", "3.0")])
    withExtendedLifetime(token) {}
  }

  @Test func `one section is told, also when it becomes empty and comes back`() throws {
    var calls: [String] = []
    let section = harbors.harbors.sectioned(by: \.size)[1]
    let token = section.observe { change in
      switch change {
      case .initial(let section): calls.append("initial \(section.count)")
      case .update(let section, let update): calls.append("\(section.count) \(update)")
      case .error(let error): calls.append("\(error)")
      }
    }
    try store.write { try harbors.harbor(6).size = 2 }
    try store.write { try harbors.harbor(7).size = 3 }
    try store.write { for harbor in section { harbor.size = 0 } }
    try store.write { try harbors.harbor(6).size = 1 }
    #expect(
      calls == [
        "initial 4", "3 deletions [1], insertions [], modifications []",
        "0 deletions [0, 1, 2], insertions [], modifications []",
        "1 deletions [], insertions [0], modifications []",
      ])
    withExtendedLifetime(token) {}
  }

  // NaN does not equal itself: each object had a section of its own, which was empty.
  @Test func `objects whose values are NaN are in one section`() throws {
    let day = Date(timeIntervalSinceReferenceDate: .nan)
    try store.write {
      for harbor in harbors.harbors where harbor.id % 2 == 0 {
        harbor.share = Double.nan
        harbor.founded = day
      }
      for harbor in harbors.harbors where harbor.id % 2 == 1 {
        harbor.share = 1
        harbor.founded = nil
      }
    }
    let shares = harbors.harbors.sectioned(by: \.share)
    let days = harbors.harbors.sectioned(by: \.founded)
    let ids = [Array(stride(from: 0, to: 20, by: 2)), Array(stride(from: 1, to: 20, by: 2))]
    #expect(shares.map { $0.map(\.id) } == ids)
    #expect(days.map { $0.map(\.id) } == ids)

    var calls: [String] = []
    let tokens = [
      collect(shares) { calls.append("shares \($0)") },
      collect(days) { calls.append("days \($0)") },
      shares[0].observe { change in
        if case .update(_, let update) = change { calls.append("section \(update)") }
      },
    ]
    try store.write { try harbors.harbor(4).name = "other" }
    try store.write {
      let harbor = try harbors.harbor(3)
      harbor.share = -Double.nan
      harbor.founded = day
    }
    #expect(
      calls == [
        "shares initial 2", "days initial 2",
        "shares \(text([], [], "", "", "0.2"))", "days \(text([], [], "", "", "0.2"))",
        "section deletions [], insertions [], modifications [2]",
        "shares \(text([], [], "1.1", "0.2"))", "days \(text([], [], "1.1", "0.2"))",
        "section deletions [], insertions [2], modifications []",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test func `a write can leave the observers of sections out`() throws {
    var calls: [String] = []
    let token = collect(harbors.harbors.sectioned(by: \.size)) { calls.append($0) }
    try store.write(withoutNotifying: [token]) { try harbors.harbor(3).size = 4 }
    try store.write { try harbors.harbor(4).name = "other" }
    #expect(calls == ["initial 5", text([], [], "", "", "3.1")])
  }

  @Test func `sections of a closed store, or of a query that fails, are an error`() throws {
    var calls: [String] = []
    let token = collect(harbors.harbors.sectioned(by: \.size)) { calls.append($0) }
    let sections = harbors.harbors.sectioned(by: \.name)
    try store.close()
    let other = collect(sections) { calls.append($0) }
    #expect(calls == ["initial 5", "error storeClosed", "error storeClosed"])
    #expect(token.isInvalidated && other.isInvalidated)
  }

  @Test func `an observer of sections does not keep the store open`() throws {
    weak var session: AnyObject?
    var token: ObservationToken?
    do {
      let other = try harbors.place.open()
      session = other.session
      token = other.objects(Harbor.self).sectioned(by: \.size).observe { _ in }
    }
    #expect(session == nil)
    withExtendedLifetime(token) {}
  }

  @Test(.takesLong, arguments: RandomObservationTests.seeds)
  func `each change of sections leads from those before to those after`(seed: UInt64) throws {
    let observed = try HarborStore()
    let other = try observed.place.open()
    var changes = HarborChanges(seed: seed)
    let store = observed.store
    let all = store.objects(Harbor.self)
    let sizes = [
      SectionsMirror("by size", all.sectioned(by: \.size)),
      SectionsMirror(
        "large, by size and name",
        all.where { $0.size > 1 }.sorted(by: \.name).sectioned(by: \.size)),
      SectionsMirror("first, by size", all.sorted(by: \.rank).limit(9).sectioned(by: \.size)),
      SectionsMirror("tour", observed.north.tour.sectioned(by: \.size), mayRepeat: true),
    ]
    let ranks = SectionsMirror("by rank", all.sorted(by: \.coast.name).sectioned(by: \.rank))
    let shares = SectionsMirror("by share", all.sorted(by: \.name).sectioned(by: \.share))
    let coasts = SectionsMirror("by coast", all.sectioned { $0.coast?.name })
    let names = [
      SectionsMirror("by name", all.sorted(by: \.size).sectioned(by: \.name)),
      SectionsMirror("by name, of one size", all.where { $0.size == 2 }.sectioned(by: \.name)),
      SectionsMirror("by letter", all.sorted(by: \.size).sectioned { String($0.name.suffix(1)) }),
    ]
    for round in 0..<60 {
      let note = "seed \(seed), round \(round)"
      try changes.change(store, or: other)
      for mirror in sizes { mirror.check(note) }
      for mirror in names { mirror.check(note) }
      ranks.check(note)
      shares.check(note)
      coasts.check(note)
    }
    #expect(ranks.updateCount > 5 && shares.updateCount > 5 && coasts.updateCount > 5)
    #expect(sizes.allSatisfy { $0.initialCount == 1 })
    // With one seed of 300, the tour stays as it is.
    #expect(sizes.dropLast().allSatisfy { $0.updateCount > 0 })
    #expect(sizes.filter { $0.updateCount > 20 }.count > 1)
    #expect(names.allSatisfy { $0.initialCount == 1 && $0.updateCount > 5 })
  }
}
