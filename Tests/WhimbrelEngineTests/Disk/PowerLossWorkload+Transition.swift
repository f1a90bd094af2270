#if os(Linux)
  import WhimbrelEngine

  // The third version of the store: a rule computes `Item.upper` while the app runs.

  extension PowerLossWorkload {
    static let newest = [
      ClassSchema(
        name: "Item", properties: new[0].properties + [.indexed("upper", .string, default: "")]),
      new[1],
    ]

    static let rules = RuleBook([
      ObjectRule(
        from: 2, ClassSchema("Item", .required("text", .string)),
        ClassSchema("Item", .required("upper", .string)), isLast: true
      ) {
        // As long as the texts are: some lie outside of the record.
        TextRule($0) { .string($0.uppercased()) }
      }
    ])

    /// How many objects are stored in a past shape.
    static func waiting(_ file: StoreFile) throws -> Int {
      // A session without the rules shows objects as they are stored.
      let session = try Session(file)
      return try withExtendedLifetime(session) {
        try session.classes.reduce(0) { sum, table in
          try sum + table.unconvertedCounts().values.reduce(0, +)
        }
      }
    }

    /// Opens the store as an app does that declares version 3 and its rules. No thread converts
    /// objects.
    func onlineRequest() -> OpenRequest {
      var request = TestStore.request(path, Self.newest, version: 3)
      request.declaration?.rules = Self.rules
      request.file.syncsMetaPage = syncsMetaPage
      request.transition = TransitionOptions(startsPaused: true)
      return request
    }
  }
#endif
