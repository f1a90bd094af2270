import Foundation
import Testing
import Whimbrel

/// The initializer that a model gets comes before those that take values by name.
///
/// One of those was `init(value: Any) throws`, and took every argument of a model whose only
/// property is called `value`: literals above all, which may be anything.
@Suite struct MemberwiseInitializerTests {
  @Test func `a property called value gets its value`() {
    // None of them throws: the initializers for values by name do.
    #expect(Reading(value: 5).value == 5)
    #expect(Reading(value: 2.5).value == 2.5)
    #expect(Switch(value: true).value)
    let reading = Reading(value: 7)
    #expect(ValueLink(value: reading).value === reading)
    #expect(ValueLink(value: nil).value == nil)
    #expect(ValueLink().value == nil)
    #expect(Array(ValueList(value: [1, 2]).value) == [1, 2])
    #expect(ValueMap(value: ["a": 1, "b": 2]).value["b"] == 2)
    #expect(ValueOfAny(value: 5).value == 5)
  }

  @Test func `the initializers for other values are there too`() throws {
    #expect(try Reading(["value": 5]).value == 5)
    #expect(try Reading([5]).value == 5)
    let link = try ValueLink(["value": ["value": 2.5]])
    let copy = try ValueLink(link)
    #expect(copy !== link && copy.value === link.value)
    #expect(throws: StoreError.self) { try Reading(["number": 5]) }
  }

  // The initializer had `Self` in its default argument, which does not compile.
  @Test func `a default value may use Self`() {
    #expect(SelfDefault().count == 3)
    #expect(SelfDefault(count: 7).count == 7)
  }

  // The initializer had the expression in its default argument, which does not compile.
  @Test func `a default value may be an if or switch expression`() {
    #expect(ChosenDefault().count == 2)
    #expect(ChosenDefault().name == "small")
    #expect(ChosenDefault(count: 7, name: "seven").name == "seven")
  }
}

@Model final class Reading { var value: Double }
@Model final class Switch { var value: Bool }
@Model final class ValueLink { var value: Reading? }
@Model final class ValueList { var value: StoredList<Int> }
@Model final class ValueMap { var value: StoredMap<String, Int> }
@Model final class ValueOfAny { var value: AnyValue }
@Model final class SelfDefault {
  static let limit = 2
  var count: Int = Self.limit + 1
}
@Model final class ChosenDefault {
  static let limit = 2
  var count: Int = if Self.limit > 5 { 5 } else { Self.limit }
  var name: String =
    switch ChosenDefault.limit {
    case ..<5: "small"
    default: "large"
    }
}
