import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

/// Values of JSON, and of dictionaries like it, become objects.
@Suite struct ImportingTests {
  private func json(_ text: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
  }

  private func amountStore() throws -> (TestStore, Store) {
    let test = try TestStore([Amount.self, Town.self, Land.self, TownPlace.self])
    return (test, try test.open())
  }

  @Test(arguments: [
    ("0.1", "0.1"), ("-12.34", "-12.34"), ("0", "0"), ("7", "7"), ("1e3", "1000"),
    ("9007199254740993", "9007199254740993"), ("18446744073709551615", "18446744073709551615"),
    ("1.7976931348623157", "1.7976931348623157"), ("1e-20", "0.00000000000000000001"),
    ("1234567.89", "1234567.89"),
  ])
  func `a JSON number becomes the decimal number with the same digits`(
    text: String, expected: String
  ) throws {
    let (test, store) = try amountStore()
    let value = try json(#"{"name": "a", "exact": \#(text)}"#)
    try store.write {
      let amount = try store.create(Amount.self, value: value)
      #expect(amount.exact == Decimal(string: expected), "\(amount.exact)")
    }
    try test.expectWhole()
  }

  @Test func `a number of Swift becomes a decimal number, too`() throws {
    #expect(try Amount(["name": "a", "exact": 0.1]).exact == Decimal(string: "0.1"))
    #expect(try Amount(["name": "a", "exact": Float(0.1)]).exact == Decimal(string: "0.1"))
    #expect(try Amount(["name": "a", "exact": UInt8(7)]).exact == 7)
    for number in [Double.infinity, .nan, 1e300, 1e-300] {
      try expectError(.outOfRange) { try Amount(["name": "a", "exact": number]) }
    }
  }

  @Test func `a truth value is not a number, and a number not a truth value`() throws {
    let (test, store) = try amountStore()
    func expect(_ text: String, _ property: String, _ kinds: (String, String)) throws {
      let value = try json(#"{"name": "a", "\#(property)": \#(text)}"#)
      let error = try expectError(.wrongType) {
        try store.write { try store.create(Amount.self, value: value) }
      }
      #expect(
        error.message
          == "Could not set 'Amount.\(property)': it holds '\(kinds.0)' and was given "
          + "'\(kinds.1)'.")
    }
    for property in ["whole", "exact", "ratio", "small", "double"] {
      for text in ["true", "false"] {
        let kind = ["whole": "int", "exact": "decimal", "ratio": "float", "small": "int8"]
        try expect(text, property, (kind[property] ?? "double", "bool"))
      }
    }
    for text in ["1", "0"] { try expect(text, "isPaid", ("bool", "int")) }
    try expect("1.5", "isPaid", ("bool", "double"))
    try expectError(.wrongType) { try Amount(["name": "a", "whole": true]) }
    try expectError(.wrongType) { try Amount(["name": "a", "isPaid": 1]) }
    try store.write {
      let rows = #"{"name": "b", "isPaid": true, "any": [true, 1, 0, false, 1.0]}"#
      let amount = try store.create(Amount.self, value: json(rows))
      #expect(amount.isPaid)
      #expect(amount.any[0] == true && amount.any[1] == 1 && amount.any[2] == 0)
      #expect(amount.any[3] == false)
    }
    try test.expectWhole()
  }

  // `JSONSerialization` gives an `NSDecimalNumber` for 17 digits, and its `doubleValue` rounds after
  // each digit. 0.30000000000000004 became 0.3000000000000001, as did a third of random numbers.
  @Test func `a JSON number with many digits becomes the nearest floating-point number`() throws {
    let (test, store) = try amountStore()
    var generator = SeededGenerator(seed: 17)
    let numbers =
      [0.1 + 0.2, 1.2345678901234567, 12345678901234567.8]
      + (0..<200).map { _ in Double.random(in: -1000...1000, using: &generator) }
    try store.write {
      for number in numbers {
        let value = try json(#"{"name": "a", "double": \#(number), "ratio": \#(number)}"#)
        let amount = try store.create(Amount.self, value: value, update: .modified)
        #expect(amount.double == number && amount.ratio == Float("\(number)"))
      }
      // It became infinity.
      let large = try json(#"{"name": "b", "ratio": 1234567890123456789012345678901234567890}"#)
      try expectError(.outOfRange) { try store.create(Amount.self, value: large) }
      // The error said that an int does not fit into an int.
      let fraction = try json(#"{"name": "b", "whole": 0.30000000000000004}"#)
      let error = try expectError(.wrongType) { try store.create(Amount.self, value: fraction) }
      #expect(
        error.message
          == "Could not set 'Amount.whole': it holds 'int' and was given 'decimal'.")
    }
    try test.expectWhole()
  }

  // The cast to an Int wrapped, and the object had -1.
  @Test func `a number that is too large is refused, and one with a point that is whole taken`()
    throws
  {
    let (test, store) = try amountStore()
    try store.write {
      for text in ["18446744073709551615", "9223372036854775808", "1e30", "1.5"] {
        let value = try json(#"{"name": "a", "whole": \#(text)}"#)
        #expect(throws: StoreError.self) { try store.create(Amount.self, value: value) }
      }
      let value = try json(
        #"{"name": "a", "whole": 2.0, "small": 127, "ratio": 0.1, "double": 12345678901234567890}"#)
      let amount = try store.create(Amount.self, value: value)
      #expect(amount.whole == 2 && amount.small == 127 && amount.ratio == 0.1)
      #expect(amount.double == 12_345_678_901_234_567_890)
    }
    #expect(store.objects(Amount.self).count == 1)
    try test.expectWhole()
  }

  // An object with a UUID as its primary key could not be imported.
  @Test func `a text becomes a UUID, an ObjectId or a decimal number`() throws {
    let test = try TestStore([Shipment.self])
    let store = try test.open()
    let (first, second) = (UUID(), UUID())
    let id = "0123456789abcdef01234567"
    try store.write {
      let shipment = try store.create(
        Shipment.self,
        value: json(
          """
          {"id": "\(first)", "batch": "\(id)", "price": "-12.50", "parts": ["\(second)"],
           "next": {"id": "\(second)"}, "any": "\(first)"}
          """))
      #expect(shipment.id == first && shipment.batch == ObjectId(id))
      #expect(shipment.price == Decimal(string: "-12.5") && Array(shipment.parts) == [second])
      #expect(shipment.next?.id == second && shipment.any == .string("\(first)"))
      let lowercase = "\(first)".lowercased()
      try store.create(Shipment.self, value: ["id": lowercase, "price": "1e3"], update: .modified)
      #expect(shipment.price == 1_000)
      func expect(_ property: String, _ value: Any, _ advice: String) throws {
        let error = try expectError(.wrongType) { try shipment.setValue(value, forKey: property) }
        #expect(error.recovery == advice)
      }
      let spelling = "Give it a value of its own type, or a text that spells one."
      for price in ["", "nan", "1,5", "12 €"] { try expect("price", price, spelling) }
      try expect("batch", "0123", spelling)
      try expect("parts", ["x"], spelling)
      for date in ["2020-01-31T12:00:00Z", 0, 0.5] as [Any] {
        try expect(
          "sent", date, "Convert it to a 'Date' first, or decode the model with 'Codable'.")
      }
      try expect(
        "label", "AAEC", "Convert it to 'Data' first, or decode the model with 'Codable'.")
    }
    #expect(store.objects(Shipment.self).count == 2)
    try test.expectWhole()
  }

  // `JSONSerialization` and a cast to a map made an `NSSet` or an `NSDictionary` of the value first,
  // which overflowed the stack.
  @Test func `a Set of decimals is neither JSON nor a map`() throws {
    let prices: Set<Decimal> = [1]
    let payer: [String: Any] = ["name": "P", "floors": prices, "share": 1]
    let error = try expectError(.wrongType) { _ = try Amount(["name": "a", "payer": payer]) }
    #expect("\(error)".contains("the value of 'floors' is not a value of JSON"))
    try expectError(.wrongType) { _ = try Amount(["name": "a", "payer": [prices]]) }
    try expectError(.wrongType) { _ = try Town(["code": "a", "prices": prices]) }
    try expectError(.wrongType) { _ = try Town(["code": "a", "prices": [Decimal(1): 1]]) }
  }

  @Test func `a dictionary becomes a PersistableCodable`() throws {
    let (test, store) = try amountStore()
    let text = """
      {"name": "a", "payer": {"name": "P", "floors": [1, 2], "share": 0.25},
       "others": [{"name": "Q", "floors": [], "share": 1}], "maybe": null}
      """
    try store.write {
      let amount = try store.create(Amount.self, value: json(text))
      #expect(amount.payer == Payer(name: "P", floors: [1, 2], share: 0.25))
      #expect(amount.others.map(\.name) == ["Q"] && amount.maybe == nil)
      let wrong: [(String, String)] = [
        (#"{"name": "x", "floors": []}"#, "the key 'share' is missing"),
        (#"{"name": 5, "floors": [], "share": 1}"#, "the value of 'name' is not 'String'"),
        (#"{"name": "x", "floors": [1, "y"], "share": 1}"#, "the value of 'floors.1' is not 'Int'"),
      ]
      for (payer, reason) in wrong {
        let error = try expectError(.wrongType) {
          try store.create(Amount.self, value: json(#"{"name": "b", "maybe": \#(payer)}"#))
        }
        #expect(
          error.description
            == "Could not set 'Amount.maybe': the dictionary cannot be decoded as 'Payer': "
            + "\(reason). Give the keys and values that its 'init(from:)' needs.")
      }
      try expectError(.wrongType) { try store.create(Amount.self, value: json(#"{"payer": 5}"#)) }
    }
    try test.expectWhole()
  }

  // The error was "it holds 'data' and was given 'Dictionary<String, Any>'".
  @Test func `a dictionary with a value that JSON does not have is an error that names the key`()
    throws
  {
    for value in [Date(), Double.nan, ["a": UUID()]] as [Any] {
      let payer: [String: Any] = ["name": "x", "floors": [1], "share": value]
      let error = try expectError(.wrongType) { try Amount(["name": "a", "payer": payer]) }
      #expect(
        error.description
          == "Could not set 'Amount.payer': the dictionary cannot be decoded as 'Payer': the value "
          + "of 'share' is not a value of JSON. Give the keys and values that its 'init(from:)' "
          + "needs.")
    }
  }

  @Test func `unknown keys are an error unless they are ignored`() throws {
    let (test, store) = try amountStore()
    let text = """
      {"code": "a", "kode": 1, "land": {"code": "AD", "name": "Andorra", "flag": true},
       "neighbors": [{"code": "b", "x": []}], "place": {"latitude": 1, "altitude": 2}}
      """
    try store.write {
      let error = try expectError(.unknownProperty) {
        try store.create(Town.self, value: json(text))
      }
      #expect(
        error.description
          == "Could not find the property 'kode' of 'Town': the class does not have it. Did you "
          + "mean 'code'?")
      // It may be why another value is wrong.
      for (policy, wrong) in [(UpdatePolicy.error, "name"), (.modified, "code"), (.all, "name")] {
        let error = try expectError(.unknownProperty) {
          try store.create(Town.self, value: ["kode": 1, wrong: true], update: policy)
        }
        #expect(error.description.contains("'kode'"))
      }
      let town = try store.create(Town.self, value: json(text), unknownKeys: .ignore)
      #expect(town.land?.name == "Andorra" && town.neighbors.first?.code == "b")
      #expect(town.place?.latitude == 1)
      try store.create(
        Town.self, value: ["code": "a", "people": 3, "x": 1], update: .modified,
        unknownKeys: .ignore)
      #expect(town.people == 3)
    }
    try test.expectWhole()
  }

  @Test func `an error says which row is wrong, and where in it`() throws {
    let (test, store) = try amountStore()
    func place(_ rows: [Any], _ code: StoreError.Code) throws -> StoreError {
      try expectError(code) {
        try store.write { try store.create(Town.self, values: rows, update: .modified) }
      }
    }
    let deep = try place(
      [
        ["code": "a"], ["code": "b"], ["code": "c"],
        ["code": "d", "neighbors": [["code": "e"], ["code": "f", "land": ["code": 5]]]],
      ], .wrongType)
    #expect(deep.context.valuePath == "[3].neighbors[1].land.code")
    #expect(
      deep.description
        == "Could not set 'Land.code' at '[3].neighbors[1].land.code': it holds 'string' and was "
        + "given 'int'. Give it a value of its own type.")
    #expect(store.objects(Town.self).isEmpty)
    let paths: [(Any, StoreError.Code, String?)] = [
      (["name": "x"], .missingValue, "[0]"),
      (["code": "x", "land": ["code": "L"]], .missingValue, "[0].land"),
      (["code": "x", "tags": ["a", 5]], .wrongType, "[0].tags[1]"),
      (
        ["code": "x", "twins": ["secret": ["code": nil] as [String: Any?]]], .missingValue,
        "[0].twins[…].code"
      ),
      (["code": "x", "place": ["latitud": 1]], .unknownProperty, "[0].place.latitud"),
      (["code": "x", "marks": [1, nil] as [Any?]], .missingValue, "[0].marks[1]"),
      (5, .wrongType, "[0]"),
    ]
    for (row, code, path) in paths {
      #expect(try place([row], code).context.valuePath == path)
    }
    // One object: its own properties are named without a path.
    let single = try expectError(.wrongType) { try Town(["code": 5]) }
    #expect(single.context.valuePath == nil)
    let nested = try expectError(.wrongType) { try Town(["land": ["code": 5]]) }
    #expect(nested.context.valuePath == "land.code")
    let missing = try expectError(.missingValue) { try Town(["code": "x", "land": ["code": "L"]]) }
    #expect(missing.context.valuePath == "land")
    try test.expectWhole()
  }

  // The error was that the name is missing, with the advice to make it optional.
  @Test func `values that have only the key of another object ask for a policy`() throws {
    let (test, store) = try townStore()
    try store.write { try store.add(Land(code: "L", name: "Land")) }
    let error = try expectError(.duplicatePrimaryKey) {
      try store.write { try store.create(Town.self, value: ["code": "a", "land": ["code": "L"]]) }
    }
    #expect(error.context.valuePath == "land" && error.context.primaryKey == "L")
    let missing = try expectError(.missingValue) {
      try store.write { try store.create(Town.self, value: ["code": "a", "land": ["code": "M"]]) }
    }
    #expect(missing.context.valuePath == "land")
    let again = try expectError(.duplicatePrimaryKey) {
      try store.write {
        try store.create(
          Land.self,
          value: ["code": "M", "name": "m", "capital": ["code": "c", "land": ["code": "M"]]])
      }
    }
    #expect(again.context.valuePath == "capital.land" && again.context.primaryKey == "M")
    try store.write {
      let value: [String: Any] = ["code": "a", "land": ["code": "L"]]
      #expect(try store.create(Town.self, value: value, update: .modified).land?.name == "Land")
      let single = try expectError(.wrongType) {
        try store.create(Town.self, value: ["code": "b", "land": "L"])
      }
      #expect(
        single.recovery == "Give it an object of that class, or a dictionary of values by property "
          + "name.")
    }
    #expect(store.objects(Town.self).count == 1 && store.objects(Land.self).count == 1)
    try test.expectWhole()
  }

  @Test func `rows with a key that is there twice name the second`() throws {
    let (test, store) = try amountStore()
    let error = try expectError(.duplicatePrimaryKey) {
      try store.write {
        try store.create(Amount.self, values: ["a", "b", "a"].map { ["name": $0] })
      }
    }
    #expect(error.context.valuePath == "[2]" && error.context.primaryKey == "a")
    #expect(store.objects(Amount.self).isEmpty)
    try store.write {
      let rows: [[String: Any]] = [["name": "a"], ["name": "b", "whole": 5]]
      let amounts = try store.create(Amount.self, values: rows)
      #expect(amounts.map(\.whole) == [0, 5])
    }
    try test.expectWhole()
  }

  // On macOS, `JSONSerialization` gives an `NSString` for each string. An enum refused it, and so
  // did a value of any type.
  @Test func `an object of Foundation is like the value of Swift that it holds`() throws {
    let (test, store) = try amountStore()
    let cold = NSString(string: "cold")
    let date = Date(timeIntervalSinceReferenceDate: 5)
    try store.write {
      let town = try store.create(
        Town.self, value: ["code": NSMutableString(string: "a"), "climate": cold, "extra": cold])
      #expect(town.code == "a" && town.climate == .cold && town.extra == "cold")
      let values: [Any] = [cold, date as NSDate, Data([7]) as NSData, [cold: cold] as NSDictionary]
      let amount = try store.create(
        Amount.self, value: ["name": cold, "any": NSArray(array: values)])
      #expect(amount.name == "cold" && amount.any[0] == "cold")
      #expect(amount.any[1] == .date(date) && amount.any[2] == .data(Data([7])))
      #expect(amount.any[3]?["cold"] == "cold")
    }
    try expectError(.outOfRange) { try Town(["code": "b", "climate": NSString(string: "hot")]) }
    try test.expectWhole()
  }

  @Test func `nil for a property that is not optional says whether there is a default`() throws {
    let (_, store) = try amountStore()
    try store.write {
      let error = try expectError(.missingValue) {
        try store.create(Amount.self, value: json(#"{"name": "a", "whole": null}"#))
      }
      #expect(
        error.description
          == "Could not set 'Amount.whole': nil was given, and the property is not optional; its "
          + "default value applies only when no value is given. Leave the key out to get the "
          + "default value, or make the property optional.")
      let other = try expectError(.missingValue) {
        try store.create(Amount.self, value: json(#"{"name": null}"#))
      }
      #expect(
        other.description
          == "Could not set 'Amount.name': nil was given, and the property is not optional. Give "
          + "it a value, or make the property optional.")
    }
  }

  // The error named classes of Foundation: "was given '__NSCFBoolean'".
  @Test(arguments: [("land", "5", "int"), ("tags", "1.5", "double"), ("prices", "true", "bool")])
  func `an error about a JSON number says which kind it is`(
    property: String, text: String, kind: String
  ) throws {
    let value = try json(text)
    let error = try expectError(.wrongType) { try Town(["code": "a", property: value]) }
    #expect(error.description.contains("was given '\(kind)'."), "\(error)")
  }

  // The error was "it holds '<Town>?' and was given 'nil'. Give it a value of its own type."
  @Test func `nil in a collection of objects is an element that must be left out`() throws {
    let (test, store) = try townStore()
    let values: [(String, Any, String)] = [
      ("neighbors", [["code": "b"], NSNull()] as [Any], "neighbors[1]"),
      ("twins", ["t": NSNull()], "twins[…]"),
    ]
    for (property, value, path) in values {
      let error = try expectError(.missingValue) {
        try store.write { try store.create(Town.self, value: ["code": "a", property: value]) }
      }
      #expect(
        error.description
          == "Could not set 'Town.\(property)' at '\(path)': nil was given for an element, and the "
          + "elements are not optional. Leave the element out, or declare a collection of optional "
          + "values.")
    }
    #expect(store.objects(Town.self).isEmpty)
    try test.expectWhole()
  }

  // The compiler said that sending `list` risks causing data races.
  @Test func `an actor creates objects of values that it uses afterwards`() async throws {
    let test = try TestStore([Amount.self])
    let importer = try Importer(test.configuration)
    #expect(try await importer.load(Data(#"[{"name": "a"}, {"name": "b"}]"#.utf8)) == 2)
    #expect(try await importer.loadInside([["name": "c"]]) == 1)
    #expect(try await importer.loadAfter([["name": "d"]]) == 1)
    #expect(try await importer.count == 4)
  }
}

/// Imports in an actor in all the ways that compile; the test is that they do.
private actor Importer {
  private let store: Store

  init(_ configuration: Store.Configuration) throws { store = try Store(configuration) }

  var count: Int { store.objects(Amount.self).count }

  func load(_ data: Data) throws -> Int {
    let list = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
    try store.write { store in
      for value in list { try store.create(Amount.self, value: value) }
    }
    return list.count
  }

  func loadInside(_ list: sending [[String: Any]]) throws -> Int {
    try store.write {
      for value in list { try store.create(Amount.self, value: value) }
      return list.count
    }
  }

  func loadAfter(_ list: [[String: Any]]) throws -> Int {
    try store.write {
      for value in list { try store.create(Amount.self, value: value) }
    }
    return list.count
  }
}

struct Payer: PersistableCodable, Equatable {
  var name = ""
  var floors: [Int] = []
  var share: Double = 0
}

@Model
final class Shipment {
  @PrimaryKey var id: UUID
  var batch: ObjectId?
  var price: Decimal = 0
  var parts: StoredList<UUID>
  var next: Shipment?
  var sent: Date?
  var label: Data = Data()
  var any: AnyValue = AnyValue.none
}

@Model
final class Amount {
  @PrimaryKey var name: String
  var exact: Decimal = 0
  var whole: Int = 0
  var small: Int8 = 0
  var ratio: Float = 0
  var double: Double = 0
  var isPaid: Bool = false
  var payer: Payer = Payer()
  var maybe: Payer?
  var others: StoredList<Payer>
  var any: AnyValue = AnyValue.none
}
