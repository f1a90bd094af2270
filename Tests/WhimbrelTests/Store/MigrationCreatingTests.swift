import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

enum Creating1 {
  @Model("Author") final class Author: Model {
    @PrimaryKey var key: Int
    var name: String
  }

  @Model("Book") final class Book: Model {
    @PrimaryKey var title: String
    var author: Author?
    var others: StoredList<Author>
  }
}

enum Creating2 {
  @Model("Author") final class Author: Model {
    @PrimaryKey var key: Int
    var name: String
    var country: String = "?"
  }

  @Model("Place", .embedded) final class Place: Model {
    var shelf: Int
  }

  @Model("Book") final class Book: Model {
    @PrimaryKey var title: String
    var author: Author?
    var others: StoredList<Author>
    var tags: StoredList<String>
    var numbers: StoredMap<String, Int>
    var place: Place?
    var anything: AnyValue
  }
}

@Model("Lender") final class Lender: Model {
  @PrimaryKey var key: Int
  var lent: Lent?
}

@Model("Lent", .embedded) final class Lent: Model {
  var number: Int
  var lender: Lender?
}

@Model("Chained") final class Chained: Model {
  @PrimaryKey var key: Int
  var next: Chained?
}

/// Blocks that create objects and set properties of values of any kind, as in a store.
@Suite struct MigrationCreatingTests {
  private static let old: [any Model.Type] = [Creating1.Author.self, Creating1.Book.self]
  private static let new: [any Model.Type] = [
    Creating2.Author.self, Creating2.Book.self, Creating2.Place.self,
  ]

  private func migrate(_ block: @escaping MigrationBlock) throws -> Store {
    let test = try TestStore(Self.old, version: 1)
    do {
      let store = try test.open()
      try store.write {
        let author = Creating1.Author(key: 5, name: "five")
        try store.add(Creating1.Book(title: "b", author: author, others: [author]))
        try store.add(Creating1.Author(key: 6, name: "six"))
      }
    }
    return try test.open(Self.new, version: 2, migration: block)
  }

  @Test func `creating takes what a store takes`() throws {
    let store = try migrate { migration, _ in
      let old = try #require(try migration.oldObject(ofType: "Author", forPrimaryKey: 6))
      let typed = try #require(
        try migration.oldObject(ofType: Creating1.Author.self, forPrimaryKey: 6))
      try migration.create(
        "Book",
        value: [
          "title": "c", "author": ["key": 5, "country": "AD"],
          "others": [["key": 7, "name": "seven"], old, typed], "tags": ["x", "y"],
          "numbers": ["a": 1], "place": ["shelf": 3], "anything": ["list", 1],
        ], update: .modified)
      let author = Creating2.Author(key: 8, name: "eight", country: "FR")
      let made = try migration.create("Book", value: ["d", author])
      #expect(try made.object("author")?["name", as: String.self] == "eight")
      let book = try migration.create(
        Creating2.Book.self, value: ["title": "b", "tags": ["changed"]], update: .all)
      #expect(book.title == "b" && book.author?.key == 5)
      for bad in [["nonsense": 1], ["title": 5], ["title": "e", "tags": [1]]] as [[String: Any]] {
        #expect(throws: StoreError.self) { try migration.create("Book", value: bad) }
      }
      #expect { try migration.create("Book", value: ["title": "b"]) } throws: {
        StoreError.Code.duplicatePrimaryKey ~= $0
      }
      #expect { try migration.create("Place", value: ["shelf": 1]) } throws: {
        StoreError.Code.embeddedNeedsOwner ~= $0
      }
      #expect { try migration.create("Bock", value: ["title": "b"]) } throws: {
        StoreError.Code.unknownClass ~= $0
      }
    }
    let books = store.objects(Creating2.Book.self)
    #expect(books.map(\.title) == ["b", "c", "d"])
    let book = try #require(store.object(ofType: Creating2.Book.self, forPrimaryKey: "c"))
    #expect(book.author?.name == "five" && book.author?.country == "AD")
    #expect(book.others.map(\.key) == [7, 6, 6])
    #expect(Array(book.tags) == ["x", "y"] && book.numbers["a"] == 1 && book.place?.shelf == 3)
    #expect(book.anything == .list([.string("list"), .int(1)]))
    #expect(books.first?.tags.first == "changed")
    #expect(store.objects(Creating2.Author.self).map(\.key) == [5, 6, 7, 8])
    #expect(try store.integrityFindings().isEmpty)
  }

  @Test(arguments: [UpdatePolicy.error, .modified, .all])
  func `a created object may have a key that another object had`(policy: UpdatePolicy) throws {
    let store = try migrate { migration, _ in
      try migration.enumerateObjects(ofType: "Author") { old, new in
        guard let old, let new else { return }
        try new.set("key", to: try old["key", as: Int.self] + 10)
      }
      try migration.create("Author", value: ["key": 5, "name": "new"], update: policy)
      try migration.create(
        "Book", value: ["title": "c", "author": ["key": 6, "name": "linked"]], update: policy)
      if policy == .error { try migration.add(Creating2.Author(key: 7, name: "added")) }
    }
    let authors = store.objects(Creating2.Author.self).sorted(by: \.key)
    let added = policy == .error ? [(7, "added")] : []
    let expected = [(5, "new"), (6, "linked")] + added + [(15, "five"), (16, "six")]
    #expect(authors.map(\.key) == expected.map { $0.0 })
    #expect(authors.map(\.name) == expected.map { $0.1 })
    let books = store.objects(Creating2.Book.self).sorted(by: \.title)
    #expect(books.map { $0.author?.name } == ["five", "linked"])
    #expect(try store.integrityFindings().isEmpty)
  }

  @Test(arguments: [UpdatePolicy.modified, .all], [false, true])
  func `an object of a model among the values changes the one with its key`(
    policy: UpdatePolicy, isRewritten: Bool
  ) throws {
    let store = try migrate { migration, _ in
      if isRewritten {
        try migration.enumerateObjects(ofType: "Author") { _, new in
          try new?.set("country", to: "ES")
        }
      }
      let author = Creating2.Author(key: 5, name: "changed", country: "FR")
      try migration.create("Book", value: ["title": "c", "author": author], update: policy)
    }
    let authors = store.objects(Creating2.Author.self).sorted(by: \.key)
    #expect(authors.map(\.key) == [5, 6])
    #expect(authors.map(\.name) == ["changed", "six"])
    #expect(authors.first?.country == "FR")
    let books = store.objects(Creating2.Book.self).sorted(by: \.title)
    #expect(books.map { $0.author?.key } == [5, 5])
    #expect(try store.integrityFindings().isEmpty)
  }

  @Test(arguments: [UpdatePolicy.error, .modified, .all], [0, 10])
  func `no link to a deleted object leads to one that is created with its key`(
    policy: UpdatePolicy, shift: Int
  ) throws {
    let store = try migrate { migration, _ in
      if shift > 0 {
        try migration.enumerateObjects(ofType: "Author") { old, new in
          guard let old, let new else { return }
          try new.set("key", to: try old["key", as: Int.self] + shift)
        }
      }
      let key = PropertyValue.int(Int64(5 + shift))
      let gone = try #require(try migration.object(ofType: "Author", forPrimaryKey: key))
      try migration.delete(gone)
      try migration.create("Author", value: ["key": 5, "name": "new"], update: policy)
    }
    let book = try #require(store.objects(Creating2.Book.self).first)
    #expect(book.author == nil && book.others.isEmpty)
    let authors = store.objects(Creating2.Author.self).sorted(by: \.key)
    #expect(authors.map(\.key) == [5, 6 + shift] && authors.map(\.name) == ["new", "six"])
    #expect(try store.integrityFindings().isEmpty)
  }

  // IDs are taken for all objects before the first one is written. The ID that one object got instead of
  // its key's was also the ID of another's key, which replaced it.
  @Test(
    arguments: [UpdatePolicy.error, .modified, .all],
    [(false, false), (false, true), (true, false), (true, true)])
  func `objects that are created together get different IDs`(
    policy: UpdatePolicy, way: (isReversed: Bool, isAdded: Bool)
  ) throws {
    let (isReversed, isAdded) = way
    let place = try TestStore([Chained.self], version: 1)
    let first = try place.open()
    try first.write { for key in 1...3 { try first.add(Chained(key: key, next: nil)) } }
    try first.close()
    let keys = isReversed ? [4, 3] : [3, 4]
    let store = try place.open([Chained.self], version: 2) { migration, _ in
      let gone = try migration.object(ofType: Chained.self, forPrimaryKey: 3)
      try migration.delete(#require(gone))
      if isAdded {
        try migration.add(Chained(key: keys[0], next: Chained(key: keys[1], next: nil)))
      } else {
        try migration.create(
          Chained.self, value: ["key": keys[0], "next": ["key": keys[1], "next": NSNull()]],
          update: policy)
      }
    }
    let chained = store.objects(Chained.self).sorted(by: \.key)
    #expect(chained.map(\.key) == [1, 2, 3, 4])
    #expect(chained.map { $0.next?.key } == [nil, nil] + (isReversed ? [nil, 3] : [4, nil]))
    #expect(try store.integrityFindings().isEmpty)
  }

  // The change of the old place, which was gone by then, stopped the program.
  @Test(arguments: [UpdatePolicy.modified, .all])
  func `values may describe an embedded object and replace it`(policy: UpdatePolicy) throws {
    let place = try TestStore([Lender.self, Lent.self], version: 1)
    let store = try place.open()
    try store.write {
      try store.add(Lender(key: 1, lent: Lent(number: 1, lender: nil)))
      let inner: [String: Any] = ["key": 1, "lent": NSNull()]
      let lent: [String: Any] = ["lender": inner, "number": 5]
      let values: [String: Any] = ["key": 1, "lent": lent]
      try store.create(Lender.self, value: values, update: policy)
    }
    #expect(store.objects(Lender.self).map { $0.lent == nil } == [true])
    #expect(try store.integrityFindings().isEmpty)
  }

  @Test func `setting takes what a store takes`() throws {
    let store = try migrate { migration, _ in
      let six = try #require(try migration.oldObject(ofType: "Author", forPrimaryKey: 6))
      try migration.enumerateObjects(ofType: "Book") { old, new in
        guard let old, let new else { return }
        try new.set("author", value: ["key": 9, "name": "nine"])
        try new.set("others", value: [six, ["key": 5, "country": "ES"]], update: .modified)
        try new.set("tags", value: ["a", "b"])
        try new.set("numbers", value: ["z": 26])
        try new.set("place", value: ["shelf": 1])
        try new.set("place", value: ["shelf": 2])
        try new.set("anything", value: nil)
        try new.set("title", value: "changed")
        #expect { try new.set("tags", value: [1]) } throws: { StoreError.Code.wrongType ~= $0 }
        #expect { try new.set("tagz", value: nil) } throws: {
          StoreError.Code.unknownProperty ~= $0
        }
        #expect { try old.set("title", value: "x") } throws: {
          StoreError.Code.oldObjectIsReadOnly ~= $0
        }
        #expect { try new.set("author", value: ["key": 6, "name": "again"]) } throws: {
          StoreError.Code.duplicatePrimaryKey ~= $0
        }
      }
      let gone = try #require(try migration.object(ofType: "Author", forPrimaryKey: 6))
      let book = try #require(try migration.object(ofType: "Book", forPrimaryKey: "changed"))
      try book.set("others", value: [["key": 5]], update: .modified)
      try migration.delete(gone)
      // What the old object has become is gone.
      try book.set("author", value: six)
    }
    let book = try #require(store.objects(Creating2.Book.self).first)
    #expect(book.title == "changed" && book.author == nil)
    #expect(book.others.map(\.country) == ["ES"])
    #expect(Array(book.tags) == ["a", "b"] && book.numbers["z"] == 26 && book.place?.shelf == 2)
    #expect(store.objects(Creating2.Author.self).map(\.key) == [5, 9])
    #expect(try store.integrityFindings().isEmpty)
  }

  @Test func `dynamic objects of a store are set alike`() throws {
    let test = try TestStore(Self.new, version: 2)
    let store = try test.open()
    try store.write {
      let book = try store.dynamicCreate("Book", ["title": "t"])
      try book.set("author", value: ["key": 1, "name": "one"])
      try book.set("tags", value: ["x"])
      #expect { try book.set("title", value: "u") } throws: {
        StoreError.Code.primaryKeyIsFixed ~= $0
      }
    }
    #expect(store.objects(Creating2.Book.self).first?.author?.name == "one")
    #expect(store.objects(Creating2.Book.self).first.map { Array($0.tags) } == ["x"])
  }

  @Test func `writing to an old object fails the migration and does not stop the program`() throws {
    let writes: [@Sendable (Creating1.Book) -> Void] = [
      { $0.title = "x" }, { $0.author = nil }, { $0.author = Creating1.Author(key: 1, name: "") },
      { $0.others.removeAll() }, { $0.others.append(Creating1.Author(key: 1, name: "")) },
      { $0.author?.name = "x" },
    ]
    for write in writes {
      let error = try #require(
        #expect(throws: StoreError.self) {
          try migrate { migration, _ in
            try migration.enumerate(Creating1.Book.self, Creating2.Book.self) { old, _ in
              write(old)
            }
          }
        })
      let reason = error.underlying as? StoreError ?? error
      #expect(reason.code == .oldObjectIsReadOnly, "\(error)")
      #expect(!error.description.contains("92233720368547758"), "\(error)")
    }
    let outside = #expect(throws: StoreError.self) {
      try migrate { migration, _ in
        let author = try migration.oldObject(ofType: Creating1.Author.self, forPrimaryKey: 5)
        author?.name = "x"
      }
    }
    #expect(outside?.code == .oldObjectIsReadOnly)
    #expect(outside?.message.contains("the object with primary key 5 of 'Author'") == true)
  }
}
