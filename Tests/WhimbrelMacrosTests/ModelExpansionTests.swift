import Testing

/// What whole models expand to, to the letter.
struct ModelExpansionTests {
  @Test func `a model gets its members and its conformance`() {
    expectExpansion(
      """
      @Model
      final class Zone {
        @PrimaryKey var identifier: String
        @Indexed
        @Renamed(from: "region")
        var area: Area
        var comments: String = ""
        var country: Country?
        @Transient var cache: Int = 0
      }
      """,
      to: """
        final class Zone {
          @Whimbrel._Persisted(0, in: "Zone", String.self) var identifier: String
          @Whimbrel._Persisted(1, in: "Zone", Area.self)
          var area: Area
          @Whimbrel._Persisted(2, in: "Zone", String.self)
          var comments: String = ""
          @Whimbrel._Persisted(3, in: "Zone", Country?.self)
          var country: Country?
          var cache: Int = 0

          @safe @exclusivity(unchecked) internal var _$row: Whimbrel.ModelRow = Whimbrel.ModelRow()

          @safe @exclusivity(unchecked) private var _$values: _$Values? = nil

          private final class _$Values {
            var identifier: Swift.Optional<String> = nil
            var area: Swift.Optional<Area> = nil
            var comments: String = ""
            var country: Country? = nil
            init() {}
          }

          private var _$unmanaged: _$Values {
            if let values = _$values {
              return values
            }
            let values = _$Values()
            _$values = values
            return values
          }

          internal typealias _$Key = String

          internal init(identifier: String, area: Area, comments: String = "", country: Country? = nil) {
            _$unmanaged.identifier = identifier
            _$unmanaged.area = area
            _$unmanaged.comments = comments
            _$unmanaged.country = country
          }

          internal required init(_$row: Whimbrel.ModelRow) {
            self._$row = _$row
            self._$modelsCannotHaveASuperclass()
          }

          internal static let _$schema: Whimbrel.ModelSchema = Whimbrel.ModelSchema("Zone", of: Zone.self, [
            Whimbrel.ModelProperty("identifier", String.self, \\Zone.identifier, set: { $0.identifier = $1 }, isPrimaryKey: true),
            Whimbrel.ModelProperty("area", Area.self, \\Zone.area, set: { $0.area = $1 }, isIndexed: true, previousNames: ["region"]),
            Whimbrel.ModelProperty("comments", String.self, \\Zone.comments, set: { $0.comments = $1 }, default: { "" }),
            Whimbrel.ModelProperty("country", Country?.self, \\Zone.country, set: { $0.country = $1 }),
          ])

          internal func _$encode(into encoder: inout Whimbrel.ObjectEncoder) throws {
            let values = _$unmanaged
            try encoder.encode(required: values.identifier, at: 0)
            try encoder.encode(required: values.area, at: 1)
            try encoder.encode(values.comments, at: 2)
            try encoder.encode(values.country, at: 3)
          }

          internal func _$discardValues() {
            _$values = nil
          }
        }

        nonisolated extension Zone: Whimbrel.Model {}
        """)
  }

  @Test func `what a public initializer cannot spell stands in functions`() {
    expectExpansion(
      """
      @Model("Old") public final class Zone {
        public var identifier: UUID = UUID()
        public private(set) var number: Int = -3
        var hidden: Date = hiddenDate
        public var `default`: Area? = Self.usual
      }
      """,
      to: """
        public final class Zone {
          @Whimbrel._Persisted(0, in: "Old", UUID.self)
          public var identifier: UUID = UUID()
          @Whimbrel._Persisted(1, in: "Old", Int.self)
          public private(set) var number: Int = -3
          @Whimbrel._Persisted(2, in: "Old", Date.self)
          var hidden: Date = hiddenDate
          @Whimbrel._Persisted(3, in: "Old", Area?.self)
          public var `default`: Area? = Self.usual

          @safe @exclusivity(unchecked) public var _$row: Whimbrel.ModelRow = Whimbrel.ModelRow()

          @safe @exclusivity(unchecked) private var _$values: _$Values? = nil

          private final class _$Values {
            var identifier: UUID = UUID()
            var number: Int = -3
            var hidden: Date = hiddenDate
            var `default`: Area? = Zone.usual
            init() {}
          }

          private var _$unmanaged: _$Values {
            if let values = _$values {
              return values
            }
            let values = _$Values()
            _$values = values
            return values
          }

          public enum _$Defaults {
            public static func identifier() -> UUID {
              UUID()
            }
            public static func `default`() -> Area? {
              Zone.usual
            }
          }

          public init(identifier: UUID = _$Defaults.identifier(), number: Int = -3, `default`: Area? = _$Defaults.`default`()) {
            _$unmanaged.identifier = identifier
            _$unmanaged.number = number
            _$unmanaged.`default` = `default`
          }

          public required init(_$row: Whimbrel.ModelRow) {
            self._$row = _$row
            self._$modelsCannotHaveASuperclass()
          }

          public static let _$schema: Whimbrel.ModelSchema = Whimbrel.ModelSchema("Old", of: Zone.self, [
            Whimbrel.ModelProperty("identifier", UUID.self, \\Zone.identifier, set: { $0.identifier = $1 }, default: { UUID() }),
            Whimbrel.ModelProperty("number", Int.self, \\Zone.number, set: { $0.number = $1 }, default: { -3 }),
            Whimbrel.ModelProperty("hidden", Date.self, \\Zone.hidden, set: { $0.hidden = $1 }, default: { hiddenDate }),
            Whimbrel.ModelProperty("default", Area?.self, \\Zone.`default`, set: { $0.`default` = $1 }, default: { Zone.usual }),
          ])

          public func _$encode(into encoder: inout Whimbrel.ObjectEncoder) throws {
            let values = _$unmanaged
            try encoder.encode(values.identifier, at: 0)
            try encoder.encode(values.number, at: 1)
            try encoder.encode(values.hidden, at: 2)
            try encoder.encode(values.`default`, at: 3)
          }

          public func _$discardValues() {
            _$values = nil
          }
        }

        nonisolated extension Zone: Whimbrel.Model {}
        """)
  }
}
