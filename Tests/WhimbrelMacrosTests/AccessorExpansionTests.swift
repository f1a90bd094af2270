import Testing

/// What the accessors of stored properties expand to, to the letter.
struct AccessorExpansionTests {
  @Test func `accessors read and write the record or the box`() {
    expectExpansion(
      """
      @_Persisted(0, in: "Zone") private(set) var identifier: String
      @_Persisted(1, in: "Zone") var comments: String = ""
      @_Persisted(2, in: "Zone") var country: Atlas.Country?
      @_Persisted(3, in: "Zone") var area: Swift.Optional<Area>
      @_Persisted(4, in: "Zone") var made: (Date)
      @_Persisted(5, in: "Zone") var `default`: Int
      """,
      to: """
        private(set) var identifier: String {
          get {
            if _$row.isManaged { return String._$load(&_$row, 0) }
            return Whimbrel._$value(_$unmanaged.identifier, of: "identifier", in: "Zone")
          }
          set {
            if _$row.isManaged { return String._$store(newValue, &_$row, 0) }
            _$unmanaged.identifier = newValue
          }
        }
        var comments: String {
          get {
            if _$row.isManaged { return String._$load(&_$row, 1) }
            return _$unmanaged.comments
          }
          set {
            if _$row.isManaged { return String._$store(newValue, &_$row, 1) }
            _$unmanaged.comments = newValue
          }
        }
        var country: Atlas.Country? {
          get {
            if _$row.isManaged { return Swift.Optional<Atlas.Country>._$load(&_$row, 2) }
            return _$unmanaged.country
          }
          set {
            if _$row.isManaged { return Swift.Optional<Atlas.Country>._$store(newValue, &_$row, 2) }
            _$unmanaged.country = newValue
          }
        }
        var area: Swift.Optional<Area> {
          get {
            if _$row.isManaged { return Swift.Optional<Area>._$load(&_$row, 3) }
            return _$unmanaged.area
          }
          set {
            if _$row.isManaged { return Swift.Optional<Area>._$store(newValue, &_$row, 3) }
            _$unmanaged.area = newValue
          }
        }
        var made: (Date) {
          get {
            if _$row.isManaged { return Date._$load(&_$row, 4) }
            return Whimbrel._$value(_$unmanaged.made, of: "made", in: "Zone")
          }
          set {
            if _$row.isManaged { return Date._$store(newValue, &_$row, 4) }
            _$unmanaged.made = newValue
          }
        }
        var `default`: Int {
          get {
            if _$row.isManaged { return Int._$load(&_$row, 5) }
            return Whimbrel._$value(_$unmanaged.`default`, of: "default", in: "Zone")
          }
          set {
            if _$row.isManaged { return Int._$store(newValue, &_$row, 5) }
            _$unmanaged.`default` = newValue
          }
        }
        """)
  }

  @Test func `the initial value is dropped and nothing else`() {
    let expanded = expand(
      """
      /// The comments.
      @available(macOS 15, *)
      @_Persisted(0, in: "Zone") public internal(set) var comments: String = "none"
      """)
    #expect(
      expanded.source.hasPrefix(
        """
        /// The comments.
        @available(macOS 15, *)
        public internal(set) var comments: String {
        """))
    #expect(!expanded.source.contains("none"))
  }
}
