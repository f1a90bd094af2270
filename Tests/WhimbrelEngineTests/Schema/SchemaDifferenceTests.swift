import Testing
import WhimbrelEngine

/// Which changes lead from one schema to another.
struct SchemaDifferenceTests {
  @Test func `a schema does not differ from itself`() {
    let nan = PropertySchema(name: "a", type: .double, defaultValue: .value(.double(.nan)))
    let schema = StoreSchema(classes: [ClassSchema(name: "Zone", properties: [nan])])
    #expect(SchemaDifference(from: schema, to: schema).isEmpty)
    #expect(SchemaDifference(from: StoreSchema(classes: []), to: StoreSchema(classes: [])).isEmpty)
  }

  @Test func `classes come and go in the order of their names`() {
    let old = StoreSchema(classes: ["A", "C", "D"].map { ClassSchema(name: $0, properties: []) })
    let new = StoreSchema(classes: ["B", "C", "E"].map { ClassSchema(name: $0, properties: []) })
    #expect(
      SchemaDifference(from: old, to: new).changes == [
        .classRemoved(class: "A"), .classAdded(class: "B"), .classRemoved(class: "D"),
        .classAdded(class: "E"),
      ])
  }

  @Test func `properties come and go`() {
    let changes = changes(from: [.init(name: "a", type: .int)], to: [.init(name: "b", type: .int)])
    #expect(
      changes == [
        .propertyRemoved(class: "Zone", property: "a"),
        .propertyAdded(class: "Zone", property: "b"),
      ])
  }

  @Test func `each aspect of a property is a change of its own`() {
    let old = PropertySchema(name: "a", type: .int, isIndexed: true, cases: ["1"])
    let new = PropertySchema(
      name: "b", type: .string, isOptional: true, defaultValue: .value("x"), cases: ["x"],
      previousNames: ["z", "a"])
    #expect(
      changes(from: [old], to: [new]) == [
        .propertyRenamed(class: "Zone", from: "a", to: "b"),
        .propertyRetyped(class: "Zone", property: "b", from: .int, to: .string),
        .madeOptional(class: "Zone", property: "b"),
        .indexRemoved(class: "Zone", property: "b"),
        .defaultChanged(class: "Zone", property: "b"),
        .casesChanged(class: "Zone", property: "b"),
      ])
  }

  @Test func `the opposite of a change is a change`() {
    let plain = PropertySchema(name: "a", type: .int, isOptional: true)
    let indexed = PropertySchema(name: "a", type: .int, isIndexed: true)
    #expect(
      changes(from: [plain], to: [indexed]) == [
        .madeRequired(class: "Zone", property: "a"), .indexAdded(class: "Zone", property: "a"),
      ])
  }

  @Test(arguments: [
    (PropertyDefault.value(.double(0)), PropertyDefault.value(.double(-0.0))),
    (.value("\u{E9}"), .value("e\u{301}")), (.none, .generated), (.value(.null), .none),
  ])
  func `defaults are compared to the bit`(old: PropertyDefault, new: PropertyDefault) {
    let changes = changes(
      from: [.init(name: "a", type: .double, defaultValue: old)],
      to: [.init(name: "a", type: .double, defaultValue: new)])
    #expect(changes == [.defaultChanged(class: "Zone", property: "a")])
  }

  @Test func `a link to another class is another type`() {
    let changes = changes(
      from: [.init(name: "a", type: .link(to: "A"))], to: [.init(name: "a", type: .link(to: "B"))])
    #expect(
      changes == [
        .propertyRetyped(class: "Zone", property: "a", from: .link(to: "A"), to: .link(to: "B"))
      ])
  }

  @Test func `previous names by themselves are no change`() {
    let old = PropertySchema(name: "a", type: .int)
    let new = PropertySchema(name: "a", type: .int, previousNames: ["b"])
    #expect(changes(from: [old], to: [new]).isEmpty)
    #expect(changes(from: [new], to: [old]).isEmpty)
  }

  private func changes(
    from old: [PropertySchema], to new: [PropertySchema]
  ) -> [SchemaChange] {
    zoneChanges(from: old, to: new)
  }
}

/// What distinguishes two schemas of one class, 'Zone'.
func zoneChanges(from old: [PropertySchema], to new: [PropertySchema]) -> [SchemaChange] {
  SchemaDifference(
    from: StoreSchema(classes: [ClassSchema(name: "Zone", properties: old)]),
    to: StoreSchema(classes: [ClassSchema(name: "Zone", properties: new)])
  ).changes
}
