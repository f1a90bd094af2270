import Foundation
import Testing
import WhimbrelInspectionTestSupport

struct ShowTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.copySampleStore("Zones.v4", as: "a.whimbrel")
  }

  private func run(
    _ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let run = try ToolRun(["show", "a.whimbrel"] + arguments, in: folder)
    #expect(run.exitCode == 0, sourceLocation: sourceLocation)
    #expect(run.errors == "", sourceLocation: sourceLocation)
    return run.output
  }

  @Test func `an object is shown with what it links to`() throws {
    #expect(
      try run(["Zone", "Europe/Andorra"]) == """
        Zone Europe/Andorra id:1
          identifier    "Europe/Andorra"
          countryCodes  "AD"
          latitude      42.5
          longitude     1.5166666666666666
          comments      ""
          country       Country AD id:1
            code  "AD"
            name  "Andorra"
          area          "europe"
          isPopular     false

        """)
    #expect(
      try run(["Zone", "id:1", "--depth", "0"]).contains(
        "\n  country       Country AD id:1\n  area "))
  }

  @Test func `several objects are shown with what links to them`() throws {
    #expect(
      try run(["Country", "AD", "US"]) == """
        Country AD id:1
          code  "AD"
          name  "Andorra"
        linked from
          Zone.country  1 object: Zone Europe/Andorra id:1

        Country US id:233
          code  "US"
          name  "United States"
        linked from
          Zone.country  29 objects: Zone America/New_York id:276, Zone America/Detroit id:277, \
        Zone America/Kentucky/Louisville id:278, … and 26 more

        """)
  }

  @Test func `an object is a line of JSON`() throws {
    #expect(
      try run(["Country", "AD", "--json"]) == """
        {"class":"Country","id":1,"key":"AD","name":"AD","values":{"code":"AD","name":"Andorra"},\
        "linkedFrom":[{"class":"Zone","property":"country","count":1,"objects":[\
        {"class":"Zone","id":1,"key":"Europe/Andorra","name":"Europe/Andorra"}]}]}

        """)
  }

  @Test func `a negative key stands behind two dashes`() throws {
    try EveryType.make(at: folder.path("b.whimbrel"))
    let run = try ToolRun(["show", "b.whimbrel", "Other", "--", "-8"], in: folder)
    #expect(run.output.hasPrefix("Other -8\n  key  -8\n"))
  }

  @Test(arguments: [
    (
      "Zone", "Europe/Nowhere",
      "Could not find the object 'Europe/Nowhere' of class 'Zone': no object has this primary key, "
        + "'identifier'."
    ),
    (
      "Zone", "id:999",
      "Could not find the object 'id:999' of class 'Zone': no object has this object ID."
    ),
    ("Zonr", "x", "Could not find the class 'Zonr': the schema does not have it."),
    (
      "Zone", "a\u{1B}[31m",
      #"Could not find the object 'a\u{1B}[31m' of class 'Zone': no object has this primary key, "#
        + "'identifier'."
    ),
  ])
  func `what is not there is an error`(className: String, name: String, message: String) throws {
    let run = try ToolRun(["show", "a.whimbrel", className, name], in: folder)
    #expect(run.exitCode == 1)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("Error: \(message)\nHint: "))
  }

  @Test(arguments: [["Zone"], ["Zone", "x", "--depth=-1"]])
  func `wrong usage is said`(arguments: [String]) throws {
    #expect(try ToolRun(["show", "a.whimbrel"] + arguments, in: folder).exitCode == 64)
  }
}
