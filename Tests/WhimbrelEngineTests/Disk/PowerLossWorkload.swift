#if os(Linux)
  import CWhimbrelDiskProbe
  import Foundation
  import WhimbrelEngine
  import WhimbrelTestSupport

  /// What a store goes through before the power goes: it is created, written to, compacted,
  /// written to, migrated with a backup, written to, and migrated online: it is written to while
  /// batches of objects are converted, and after the last one.
  ///
  /// The log gets a mark before each step, twice its number, and one after it, which
  /// acknowledges the step.
  struct PowerLossWorkload {
    let folder: String
    let syncsMetaPage: Bool
    let commits: Int
    let seed: UInt64

    var path: String { folder + "/Test.whimbrel" }
    var backup: String { folder + "/Backup.whimbrel" }

    /// What the store has after a step, as numbers: texts of all steps would fill the memory.
    struct State {
      let contents: Int
      let objects: Int
      let version: SchemaVersion
      /// How many objects are not yet converted.
      let waiting: Int

      init(_ session: Session) throws {
        _ = try session.refresh()
        let contents = try StoreContents(session)
        self.contents = contents.hashValue
        objects = contents.objects.hashValue
        version = contents.version
        waiting = try PowerLossWorkload.waiting(session.file)
      }
    }

    /// Which steps are not commits of the app.
    struct Course {
      var states: [State] = []
      var compaction = 0
      var migration = 0
      /// The opening with which the online migration begins.
      var transition = 0
      /// Of which each converts some objects.
      var batches: [Int] = []
      /// It converts the others.
      var end = 0
    }

    private static let item: [PropertySchema] = [
      .key("number"), .indexed("text", .string), .required("size", .int32),
      .required("data", .data), .list("numbers", .int), .set("tags", .string),
      .link("next", to: "Item"),
    ]
    private static let clock = ClassSchema("Clock", .key("id"), .required("step", .int))
    static let old = [ClassSchema(name: "Item", properties: item), clock]
    static let new = [
      ClassSchema(name: "Item", properties: item + [.indexed("length", .int)]), clock,
    ]

    /// Opens the store as an app does that declares a version.
    func request(version: SchemaVersion) -> OpenRequest {
      if version == 3 { return onlineRequest() }
      let classes = version == 1 ? Self.old : Self.new
      var request = TestStore.request(path, classes, version: version)
      request.file.syncsMetaPage = syncsMetaPage
      if version == 1 { return request }
      request.migration.backupPath = backup
      request.migration.block = { migration, _ in
        try migration.enumerateObjects(ofType: "Item") { old, new in
          guard let old, let new else { return }
          try new.set("length", to: try old["text", as: String.self].utf8.count)
        }
      }
      // Several commits, although the store is small.
      request.migration.probe = MigrationProbe()
      request.migration.probe?.batchSize = 100_000
      return request
    }

    func run() throws -> Course {
      var run = Run(generator: SeededGenerator(seed: seed))
      var session: Session?
      try run.step {
        session = try Session(StoreFile.open(request(version: 1)))
        return session
      }
      for _ in 0..<commits * 2 / 5 { try run.commit(session) }
      session?.close()
      run.course.compaction = run.course.states.count
      try run.step {
        var request = request(version: 1)
        request.file.shouldCompact = { _ in true }
        session = try Session(StoreFile.open(request))
        return session
      }
      for _ in 0..<commits * 2 / 5 { try run.commit(session) }
      session?.close()
      run.course.migration = run.course.states.count
      try run.step {
        session = try Session(StoreFile.open(request(version: 2)))
        return session
      }
      for _ in 0..<commits / 5 { try run.commit(session) }
      session?.close()
      try goThroughTransition(&run)
      return run.course
    }

    private func goThroughTransition(_ run: inout Run) throws {
      let request = onlineRequest()
      var session: Session?
      run.course.transition = run.course.states.count
      try run.step {
        session = try Session(StoreFile.open(request), for: request.declaration)
        return session
      }
      guard let session else { return }
      // The thread that converts looks at the file once, and does nothing after that.
      for _ in 0..<5_000 where session.file.transitionDriver?.progress == nil { usleep(1_000) }
      for _ in 0..<commits / 5 {
        // Some objects are left for the end.
        if run.course.states.last?.waiting ?? 0 > 30 { try run.convertBatch(session) }
        try run.commit(session)
      }
      run.course.end = run.course.states.count
      try run.step {
        try session.file.finishTransition(by: Self.rules, inBatchesOf: .zero)
        return session
      }
      for _ in 0..<commits / 10 { try run.commit(session) }
      session.close()
    }

    private struct Run {
      var generator: SeededGenerator
      var course = Course()
      var nextNumber: Int64 = 0

      mutating func step(_ body: () throws -> Session?) throws {
        let number = UInt64(course.states.count)
        disk_mark(2 * number)
        let session = try body()
        disk_mark(2 * number + 1)
        if let session { course.states.append(try State(session)) }
      }

      mutating func convertBatch(_ session: Session) throws {
        course.batches.append(course.states.count)
        try step {
          try session.file.convertObjects(by: PowerLossWorkload.rules, inBatches: 1)
          return session
        }
      }

      mutating func commit(_ session: Session?) throws {
        guard let session else { return }
        let number = course.states.count
        let count = once(in: 8) ? 60 : Int.random(in: 1...6, using: &generator)
        var changed = self
        try step {
          try session.write {
            for _ in 0..<count { try changed.change(session) }
            _ = try session.table("Clock").create(
              ["id": 0, "step": .int(Int64(number))], replacing: true)
          }
          return session
        }
        generator = changed.generator
        nextNumber = changed.nextNumber
      }

      private mutating func change(_ session: Session) throws {
        let items = try session.table("Item")
        let ids = try items.objectIDs()
        guard let id = ids.randomElement(using: &generator), ids.count > 120 || !once(in: 2) else {
          nextNumber += 1
          var values: [String: PropertyValue] = [
            "number": .int(nextNumber), "text": .string(text()), "size": 1,
            "data": .data(Data(text().utf8)), "numbers": [1, 2], "tags": ["a"],
            "next": ids.first.map { .link($0) } ?? .null,
          ]
          if items.resolved.properties.contains(where: { $0.name == "length" }) {
            values["length"] = 0
          }
          try session.create("Item", values)
          return
        }
        func position(_ name: String) throws -> Int {
          try items.resolved.requiredPosition(of: name)
        }
        switch Int.random(in: 0..<8, using: &generator) {
        case 0, 1: try items.remove(id)
        case 2:
          let value = PropertyValue.string(text())
          try items.update(id) { try $0.set(position("text"), value) }
        case 3:
          let value = PropertyValue.data(Data(text().utf8))
          try items.update(id) { try $0.set(position("data"), value) }
        case 4:
          let target = ids.randomElement(using: &generator) ?? id
          try items.update(id) { try $0.set(position("next"), .link(target)) }
        case 5:
          let values = (0..<(once(in: 4) ? 900 : 3)).map { PropertyValue.int(Int64($0) * 77) }
          try items.editCollection(position("numbers"), of: id) { editor in
            try editor.append(contentsOf: values)
          }
        case 6:
          try items.editCollection(position("numbers"), of: id) { editor in
            try editor.removeSubrange(0..<(try editor.count()) / 2)
          }
        default:
          let tag = PropertyValue.string("tag \(Int.random(in: 0..<200, using: &generator))")
          try items.editCollection(position("tags"), of: id) { editor in
            _ = try editor.insertIntoSet(tag)
          }
        }
      }

      /// Mostly short; some texts lie outside of their record, some fill many pages.
      private mutating func text() -> String {
        let length =
          switch Int.random(in: 0..<40, using: &generator) {
          case 0: 150_000
          case 1...3: 9_000
          case 4...10: 1_200
          default: Int.random(in: 0..<60, using: &generator)
          }
        let letter = UInt8.random(in: 97...122, using: &generator)
        return String(decoding: [UInt8](repeating: letter, count: length), as: UTF8.self)
      }

      private mutating func once(in count: Int) -> Bool { generator.once(in: count) }
    }
  }
#endif
