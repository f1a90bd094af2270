import Foundation
import Testing
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct EditRequestTests {
  private func request(_ json: String) throws -> EditRequest {
    try EditRequest(json: Array(json.utf8))
  }

  @Test func `operations are read from JSON`() throws {
    let request = try request(
      #"""
      {"mode": "write", "operations": [
        {"add": {"class": "Zone", "values": {"identifier": "x", "latitude": 1.50e1}}},
        {"set": {"class": "Zone", "object": "id:17", "values": {"a\"b": [9007199254740993, null]}}},
        {"remove": {"class": "", "object": "\u202E"}}
      ]}
      """#)
    #expect(request.isWrite)
    #expect(
      request.operations == [
        .add(class: "Zone", .json(#"{"identifier":"x","latitude":1.50e1}"#)),
        .set(
          class: "Zone", .named(["id:17"]), .json(#"{"a\"b":[9007199254740993,null]}"#)),
        .remove(class: "", .named(["\u{202E}"])),
      ])
  }

  @Test(arguments: [
    ("", "at byte 0"),
    (
      "{\"mode\":\"pre\nview\",\"operations\":[]}",
      "a control character in a string must be escaped, at byte 12"
    ),
    ("[]", "the request is an array, but must be an object"),
    ("{}", "the request has no 'mode'"),
    (#"{"mode":"preview"}"#, "the request has no 'operations'"),
    (#"{"mode":"undo","operations":[]}"#, "'mode' is 'undo', but must be 'preview' or 'write'"),
    (#"{"mode":1,"operations":[]}"#, "'mode' of the request is a number, but must be a string"),
    (#"{"mode":"preview","operations":[]}"#, "'operations' is empty"),
    (#"{"mode":"preview","operations":{}}"#, "'operations' is an object, but must be an array"),
    (#"{"mode":"preview","mode":"write","operations":[]}"#, "the request has 'mode' twice"),
    (#"{"mode":"preview","operations":[],"x":1}"#, "the request has the unknown member 'x'"),
    (#"{"mode":"preview","operations":[1]}"#, "'operations[0]' is a number, but must be an object"),
    (
      #"{"mode":"preview","operations":[{"change":{}}]}"#,
      "'operations[0]' must have one member: 'add', 'set' or 'remove'"
    ),
    (
      #"{"mode":"preview","operations":[{"add":{},"set":{}}]}"#,
      "'operations[0]' must have one member: 'add', 'set' or 'remove'"
    ),
    (
      #"{"mode":"preview","operations":[{"remove":{"class":"A"}}]}"#,
      "'operations[0].remove' has no 'object'"
    ),
    (
      #"{"mode":"preview","operations":[{"remove":{"class":"A","object":17}}]}"#,
      "'object' of 'operations[0].remove' is a number, but must be a string"
    ),
    (
      #"{"mode":"preview","operations":[{"add":{"class":"A","values":[]}}]}"#,
      "'values' of 'operations[0].add' is an array, but must be an object"
    ),
    (
      #"{"mode":"preview","operations":[{"add":{"class":"A","values":{},"object":"1"}}]}"#,
      "'operations[0].add' has the unknown member 'object'"
    ),
  ])
  func `each mistake is named`(json: String, reason: String) throws {
    let error = #expect(throws: InspectionError.self) { try request(json) }
    #expect(error?.code == .badArgument)
    #expect(error?.message.hasSuffix("\(reason).") == true, "\(error?.message ?? "")")
  }

  @Test func `a command is quoted for the shell`() {
    func command(_ operation: StoreEdit.Operation, _ path: String = "zones.whimbrel") -> String {
      operation.command(path: path)
    }
    #expect(
      command(.set(class: "Zone", .named(["id:17"]), .json(#"{"latitude":48.9}"#)))
        == #"whimbrel set zones.whimbrel Zone id:17 '{"latitude":48.9}' --write"#)
    #expect(
      command(.set(class: "Zone", .named(["a b", "$(x)"]), .texts(["it's=1"])), "/tmp/a b")
        == #"""
        whimbrel set '/tmp/a b' Zone 'a b' 'it'\''s=1' --write
        whimbrel set '/tmp/a b' Zone '$(x)' 'it'\''s=1' --write
        """#)
    #expect(
      command(.add(class: "`ls`", .json("{\n\"a\": \"\u{202E}\"}")), "-x")
        == #"whimbrel add ./-x '`ls`' '{ "a": "\u202E"}' --write"#)
    #expect(
      command(.remove(class: "Zone", .named(["--where", "x"])))
        == "whimbrel rm --write -- zones.whimbrel Zone --where x")
    #expect(
      command(.remove(class: "Zone", .query("latitude > 60")))
        == "whimbrel rm zones.whimbrel Zone '--where=latitude > 60' --write")
    #expect(command(.remove(class: "", .named([""]))) == "whimbrel rm zones.whimbrel '' '' --write")
    #expect(
      command(.remove(class: "\u{301}a", .named(["'\u{301}"])))
        == "whimbrel rm zones.whimbrel '\u{301}a' ''\\''\u{301}' --write")
  }

  @Test func `an operation has a title`() {
    #expect(
      StoreEdit.Operation.set(
        class: "Zone", .named(["id:17"]), .json(#"{"latitude":1,"area":"x"}"#)
      ).title == "set Zone id:17: latitude, area")
    #expect(
      StoreEdit.Operation.set(class: "Zone", .query("a > 1"), .texts(["b=1"])).title
        == "set Zone where a > 1: b")
    #expect(StoreEdit.Operation.add(class: "Zone", .json("{}")).title == "add Zone")
    #expect(
      StoreEdit.Operation.remove(class: "Z\u{1B}", .named(["1", "2", "3", "4"])).title
        == "remove Z\\u{1B} 4 objects")
  }

  /// The shell reads the words of a command as they were.
  @Test func `the shell reads what was quoted`() throws {
    let names = [
      "it's", "$HOME", "`x`", "a\\b", "\"", "*", "", "é", "'\u{301}", "-n", "#", "~", "\t",
    ]
    let command = StoreEdit.Operation.remove(class: "C", .named(names)).command(path: "s")
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c", "whimbrel() { for word in \"$@\"; do printf '%s\\n' \"$word\"; done; }; \(command)",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(
      String(decoding: output, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false)
        == ["rm", "--write", "--", "s", "C"] + names.map { Substring($0) } + [""])
  }
}
