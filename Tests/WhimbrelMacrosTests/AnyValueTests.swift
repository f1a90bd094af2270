import Testing

/// What `@Model` makes of properties of any type.
struct AnyValueTests {
  @Test(arguments: ["AnyValue", "Whimbrel.AnyValue"])
  func `a value of any type starts with none and is not required`(_ type: String) {
    let expanded = expand("@Model final class Zone {\n  var a: \(type)\n}\n")
    #expect(expanded.messages.isEmpty)
    #expect(expanded.source.contains("    var a: \(type) = \(type).none\n"))
    #expect(expanded.source.contains("init(a: \(type) = \(type).none)"))
    #expect(
      expanded.source.contains(
        "ModelProperty(\"a\", \(type).self, \\Zone.a, set: { $0.a = $1 }),"))
    #expect(expanded.source.contains("try encoder.encode(values.a, at: 0)"))
    let accessors = expand("@_Persisted(0, in: \"Zone\") var a: \(type)\n").source
    #expect(accessors.contains("return \(type)._$load(&_$row, 0)"))
  }

  @Test func `an initial value is the default of a value of any type`() {
    let expanded = expand("@Model final class Zone {\n  var a: AnyValue = 5\n}\n")
    #expect(expanded.messages.isEmpty)
    #expect(
      expanded.source.contains(
        #"("a", AnyValue.self, \Zone.a, set: { $0.a = $1 }, default: {"#))
  }

  @Test(arguments: ["Other.AnyValue", "AnyValues"])
  func `a type of another name starts with no value`(_ type: String) {
    let expanded = expand("@Model final class Zone {\n  var a: \(type)\n}\n")
    #expect(expanded.source.contains("init(a: \(type))"))
  }
}
