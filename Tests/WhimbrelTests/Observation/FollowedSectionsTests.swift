import Testing
import WhimbrelTesting

@testable import Whimbrel
@testable import WhimbrelEngine

/// Sections by a stored property are followed, and not made again.
@Suite struct FollowedSectionsTests {
  @Test func `the sections that a change does not touch stay as they are`() throws {
    let harbors = try HarborStore()
    let session = harbors.store.session
    var changes: [SectionsObserver<PropertyValue>.Change] = []
    let request = QueryRequest("Harbor", [.sort([QuerySortKey(QueryPath("name"))])])
    let observer = SectionsObserver<PropertyValue>(
      request, reporting: nil, keyProperty: "size", sections: { _ in SectionContents() },
      typed: { $0 }
    ) { news in
      if case .change(let change) = news { changes.append(change) }
    }
    try session.observers.add(observer)
    session.observers.deliver(to: observer)
    let harbor = try harbors.harbor(3)
    let size = harbor.size
    try harbors.store.write { harbor.name = "another" }
    let change = try #require(changes.first)
    #expect(change.after.keys.count > 2)
    for key in change.after.keys {
      let (before, after) = (change.before[key], change.after[key])
      let isSame = try #require(before).isIdentical(to: try #require(after))
      #expect(isSame == (key != .int(Int64(size))), "\(key)")
    }
    observer.state.end()
  }
}
