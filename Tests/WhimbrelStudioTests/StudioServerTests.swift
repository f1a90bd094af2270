import Foundation
import NIOCore
import NIOHTTP1
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

@testable import WhimbrelStudio

@Suite struct StudioServerTests {
  private let folder: TestFolder
  private let path: String

  init() throws {
    folder = try TestFolder()
    path = try folder.copySampleStore("Zones.v7")
  }

  @Test func `what the tool prints as JSON comes from the same code`() throws {
    let studio = try RunningStudio(path)
    let inspector = try StoreInspector(path: path)
    func expect(_ path: String, _ json: Data) throws {
      #expect(try studio.get("/api/v1/\(path)").body == String(decoding: json, as: UTF8.self))
    }
    try expect("schema", inspector.schema.json())
    let info = try studio.get("/api/v1/info").json()
    #expect(info["uuid"] as? String == "5A6F6E65-7300-4000-8000-000000000007")
    let selection = ObjectSelection(className: "Zone", query: "latitude > 60")
    try expect(
      "explain?class=Zone&query=latitude+%3E+60",
      ObjectQuery(selection, of: inspector).explanation().json())
  }

  @Test(arguments: [
    "objects?class=Zone&query=latitude+%3E+6", "explain?class=Zone&query=longitude+!=+1",
  ])
  func `the query of a client that has gone stops`(path: String) throws {
    let store = try StudioStore(path: self.path, isWritable: false, appSchema: nil)
    defer { store.close() }
    let api = StudioAPI(store, StudioPage(folder: nil), EventStreams {})
    let cancellation = Cancellation(after: .hours(1))
    let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/api/v1/\(path)")
    let request = try WebRequest(head, body: [], cancellation)
    let name = String(path.prefix { $0 != "?" })
    let answer = try api.route(name, .GET).answer
    #expect(try answer(api, request).status == .ok)
    // The same order of objects would be answered from memory.
    store.listings.removeAll()
    cancellation.cancel()
    let error = #expect(throws: InspectionError.self) { try answer(api, request) }
    #expect(error?.code == .cancelled)
  }

  @Test func `an error of a query names the place`() throws {
    let studio = try RunningStudio(path)
    let answer = try studio.get("/api/v1/explain?class=Zone&query=latitude+%3E+%3E")
    #expect(answer.status == 400)
    let error = try #require(try answer.json()["error"] as? [String: Any])
    #expect(error["code"] as? String == "invalidQuery")
    #expect(error["offset"] as? Int == 11)
    #expect((error["message"] as? String)?.contains("\n           ^\n") == true)
  }

  @Test(arguments: [
    ("nothing", 404, "notFound"), ("object?class=Nothing&name=1", 404, "unknownClass"),
    ("explain", 400, "badRequest"), ("objects?class=Zone&offset=-1", 400, "badRequest"),
    // The second was taken for a zero.
    ("objects?class=%zz", 400, "badRequest"), ("objects?class=%-0", 400, "badRequest"),
    ("diff?with=nothing.whimbrel", 404, "fileNotFound"),
  ])
  func `a wrong request gets an error`(path: String, status: Int, code: String) throws {
    let answer = try RunningStudio(self.path).get("/api/v1/\(path)")
    #expect(answer.status == status)
    #expect(answer.errorCode == code)
  }

  @Test(.takesLong, .mustEnd) func `a page hears of the commit of another`() throws {
    let studio = try RunningStudio(path) { $0.isWritable = true }
    let stream = try Connection(port: studio.url.port ?? 0)
    stream.send(
      "GET /api/v1/events HTTP/1.1\r\nHost: \(studio.host)\r\n"
        + "Authorization: Bearer \(studio.token)\r\n\r\n")
    #expect(stream.read(until: "retry").contains("text/event-stream"))
    try StoreEdit(
      path: path, [.set(class: "Zone", .named(["Europe/Paris"]), .texts(["latitude=1"]))]
    ).run(.write(backup: nil)) { _ in }
    let text =
      stream.read(until: "event: commit\ndata: ")
      + stream.read(until: "\n\n")
    #expect(text.contains(#""classes":[{"name":"Zone","objects":312,"added":[],"removed":[],"#))
    #expect(text.contains(#""changed":[117]"#))
  }

  @Test func `an edit is previewed, written and taken back`() throws {
    let studio = try RunningStudio(path) { $0.isWritable = true }
    func edit(_ mode: String) throws -> [String: Any] {
      let operation = #"{"set":{"class":"Zone","object":"Europe/Paris","values":{"latitude":1}}}"#
      let body = #"{"mode":"\#(mode)","operations":[\#(operation)]}"#
      return try studio.post("/api/v1/edit", body).json()
    }
    func latitude() throws -> String {
      try studio.get("/api/v1/objects?class=Zone&query=city+==+%22Paris%22&columns=latitude").body
    }
    let before = try latitude()
    let preview = try edit("preview")
    #expect(preview["undo"] is NSNull)
    #expect((preview["command"] as? String)?.hasPrefix("whimbrel set ") == true)
    #expect(try latitude() == before)
    let undo = try #require(try edit("write")["undo"] as? String)
    #expect(try latitude().contains(#""cells":[1.0]"#))
    #expect(try studio.post("/api/v1/undo", #"{"id":"\#(undo)"}"#).status == 200)
    #expect(try latitude().contains(#""cells":[48.86666666666667]"#))
    #expect(try studio.post("/api/v1/undo", #"{"id":"\#(undo)"}"#).status == 404)
    let steps = try #require(try studio.get("/api/v1/undo").json()["steps"] as? [[String: Any]])
    #expect(steps.map { $0["takesBack"] as? Bool } == [true])
  }

  // The answer was an error because it was too long, although the edit was written.
  @Test(.takesLong) func `an edit is written and undone if an answer has no room for its values`()
    throws
  {
    let studio = try RunningStudio(path) { $0.isWritable = true }
    func edit(_ ids: ClosedRange<Int>, _ comments: String) throws -> [String: Any] {
      let operations = ids.map {
        #"{"set":{"class":"Zone","object":"id:\#($0)","values":{"comments":"\#(comments)"}}}"#
      }
      let body = #"{"mode":"write","operations":[\#(operations.joined(separator: ","))]}"#
      return try studio.post("/api/v1/edit", body).json()
    }
    let long = String(repeating: "a", count: 3 << 20)
    for id in 1...11 { _ = try edit(id...id, long) }
    func expectSome(_ answer: [String: Any]) throws {
      #expect((answer["summary"] as? [String: Any])?["changed"] as? Int == 11)
      #expect((answer["changes"] as? [Any])?.count == 2)
    }
    let answer = try edit(1...11, "short")
    try expectSome(answer)
    let undo = try #require(answer["undo"] as? String)
    try expectSome(studio.post("/api/v1/undo", #"{"id":"\#(undo)"}"#).json())
  }

  // A server with '--write' first opened the file that had replaced its own for reading. It could then
  // not open that file for writing: every request failed until the server was started again.
  @Test(arguments: [false, true])
  func `a store that is replaced is shown, and can be changed`(isWritable: Bool) throws {
    let studio = try RunningStudio(path) { $0.isWritable = isWritable }
    func zone() throws -> String {
      try studio.get("/api/v1/object?class=Zone&name=Europe/Paris").body
    }
    #expect(try zone().contains(#""name":"city""#))
    let other = try folder.copySampleStore("Zones.v4")
    #expect(unsafe rename(other, path) == 0)
    // A plan opens the file, too, and does not read it through the server's store.
    let plan = #"{"store":"\#(path)"}"#
    #expect(try studio.post("/api/v1/plan", plan).status == 200)
    for _ in 1...2 { #expect(try zone().contains(#""name":"area""#)) }
    guard isWritable else { return }
    let operation = #"{"set":{"class":"Zone","object":"Europe/Paris","values":{"latitude":1}}}"#
    let body = #"{"mode":"write","operations":[\#(operation)]}"#
    #expect(try studio.post("/api/v1/edit", body).status == 200)
    #expect(try zone().contains(#""cell":1.0"#))
  }

  @Test func `a server that only reads refuses edits`() throws {
    let studio = try RunningStudio(path)
    let answer = try studio.post("/api/v1/edit", #"{"mode":"preview","operations":[]}"#)
    #expect(answer.status == 409)
    #expect(answer.errorCode == "readOnly")
  }

  @Test func `a view keeps its order while others write, and has the newest values`() throws {
    let studio = try RunningStudio(path) { $0.isWritable = true }
    let page = "/api/v1/objects?class=Zone&sort=latitude&descending=1&limit=2&columns=city"
    let first = try studio.get(page).json()
    let view = try #require(first["view"] as? Int)
    let top = try #require(((first["rows"] as? [[String: Any]])?.first)?["id"] as? Int)
    try StoreEdit(path: path, [.remove(class: "Zone", .named(["id:\(top)"]))])
      .run(.write(backup: nil)) { _ in }
    let again = try studio.get("\(page)&view=\(view)").json()
    let rows = try #require(again["rows"] as? [[String: Any]])
    #expect(again["view"] as? Int == view)
    #expect(rows.first?["id"] as? Int == top)
    #expect(rows.first?["isDeleted"] as? Bool == true)
    let anew = try studio.get(page).json()
    #expect(anew["view"] as? Int != view)
    #expect(anew["total"] as? Int == 311)
  }

  @Test func `a download is complete, and a wrong request for one gets an error`() throws {
    let studio = try RunningStudio(path)
    let lines = try studio.get("/api/v1/export?format=jsonl&class=Zone").body
    #expect(lines.split(separator: "\n").count == 312)
    let store = try studio.get("/api/v1/export?format=store&class=Zone&query=latitude+%3E+70")
    #expect(store.status == 200)
    #expect(store.headers["content-disposition"]?.contains("sample") == true)
    let bad = try studio.get("/api/v1/export?format=csv&class=Zone&query=latitud")
    #expect(bad.status == 400)
  }

  @Test(.takesLong, .mustEnd) func `the server stops when the last page was closed`() throws {
    let studio = try RunningStudio(path) { $0.keepsRunning = false }
    do {
      let stream = try Connection(port: studio.url.port ?? 0)
      stream.send(
        "GET /api/v1/events HTTP/1.1\r\nHost: \(studio.host)\r\n"
          + "Authorization: Bearer \(studio.token)\r\n\r\n")
      _ = stream.read(until: "retry")
    }
    studio.waitForEnd()
  }

  @Test func `the lock file is gone when the server has ended`() throws {
    let studio = try RunningStudio(path)
    _ = try studio.get("/api/v1/info")
    studio.stop()
    #expect(try folder.names() == ["Zones.v7.whimbrel"])
  }

  @Test func `a store that is not there gives the error of the tool`() throws {
    #expect(throws: StoreError.self) { try RunningStudio(folder.path("nothing.whimbrel")) }
    #expect(try folder.names() == ["Zones.v7.whimbrel"])
  }

  @Test func `a port that is taken is an error`() throws {
    let studio = try RunningStudio(path)
    let port = try #require(studio.url.port)
    let error = #expect(throws: InspectionError.self) {
      try RunningStudio(path) { $0.port = port }
    }
    #expect(error?.code == .portInUse)
  }
}
