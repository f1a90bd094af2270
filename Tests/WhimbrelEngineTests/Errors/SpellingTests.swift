import Testing
import WhimbrelEngine

/// What "Did you mean …?" suggests, as the errors show it.
struct SpellingTests {
  @Test(arguments: [
    ("lattitude", "latitude"), ("longtitude", "longitude"), ("Latitude", "latitude"),
    ("aera", "area"), ("latitud", "latitude"), ("identifer", "identifier"),
  ])
  func `a misspelt name has a suggestion`(misspelt: String, meant: String) {
    #expect(recovery(for: misspelt) == "Did you mean '\(meant)'?")
  }

  @Test(arguments: ["x", "", "population", "🏳️", "zzzz"])
  func `an unrelated name has none`(name: String) {
    #expect(recovery(for: name).hasPrefix("The properties are 'latitude', "))
  }

  @Test func `the closest name wins`() {
    let error = StoreError.unknownClass(class: "Zona", known: ["Zonal", "Zone", "Zona2", "Tone"])
    #expect(error.recovery == "Did you mean 'Zonal'?")
    let swapped = StoreError.unknownClass(class: "Znoe", known: ["Zoo", "Zone"])
    #expect(swapped.recovery == "Did you mean 'Zone'?")
  }

  @Test func `a long list of names is cut`() {
    let known = (1...25).map { "Class\($0)" }
    let error = StoreError.unknownClass(class: "Elsewhere", known: known)
    #expect(error.recovery.hasSuffix("'Class10' and 15 more."))
  }

  private func recovery(for name: String) -> String {
    let known = ["latitude", "longitude", "area", "identifier"]
    return StoreError.unknownProperty(class: "Zone", property: name, known: known).recovery
  }
}
