import Foundation
import Testing

@testable import WhimbrelInspection

struct JSONStreamTests {
  private func stream(_ text: String) -> JSONStream {
    JSONStream(.data(Data(text.utf8), name: "input"))
  }

  @Test func `values may take several lines, and know where they begin`() throws {
    var stream = stream("[{\"a\":\n\n1},\r\n [\n] ]\n")
    var found: [(text: String, line: Int)] = []
    try stream.forEachElement(of: JSONStream.array) { stream in
      let element = try stream.element()
      _ = try JSONParser.parse(element.bytes)
      found.append((String(decoding: element.bytes, as: UTF8.self), element.line))
    }
    try stream.requireEnd()
    #expect(found.map(\.text) == ["{\"a\":\n\n1}", "[\n]"])
    #expect(found.map(\.line) == [1, 4])
  }

  // It became a blank, so that another text was loaded.
  @Test func `a line end within a string has to be escaped`() throws {
    var raw = stream("{\"a\":\"x\ny\"}")
    let bytes = try raw.element().bytes
    let problem = #expect(throws: JSONProblem.self) { try JSONParser.parse(bytes) }
    #expect(problem?.reason == "a control character in a string must be escaped")
    #expect(problem?.offset == 7)
    var escaped = stream(#"{"a":"x\ny"}"#)
    guard case .object(let members) = try JSONParser.parse(escaped.element().bytes).content,
      case .string(let text) = members.first?.value.content
    else { throw JSONProblem(0, "no object with a string") }
    #expect(text == "x\ny")
  }
}
