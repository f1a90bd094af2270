import Whimbrel

@Model final class Book {
  @PrimaryKey var title: String
}

actor Importer {
  let store: Store

  init(_ configuration: Store.Configuration) throws { store = try Store(configuration) }

  // Swift sends 'list' into the actor that already has it, because the closure captures 'self'.
  func load(_ titles: [String]) throws -> Int {
    let list: [[String: Any]] = titles.map { ["title": $0] }
    try store.write {
      for value in list { try store.create(Book.self, value: value) }
    }
    return list.count
  }
}

final class Rows {
  var count = 0
}

// The same without Whimbrel, and without a call.
actor Library {
  func load() -> Int {
    let rows = Rows()
    _ = { _ = (self, rows) }
    return rows.count
  }
}
