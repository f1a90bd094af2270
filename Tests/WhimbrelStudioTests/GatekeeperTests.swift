import Foundation
import NIOHTTP1
import Testing
import WhimbrelInspectionTestSupport

@testable import WhimbrelStudio

/// The rules that decide who may use the server, seen from outside.
@Suite struct GatekeeperTests {
  private let folder: TestFolder
  private let studio: RunningStudio

  init() throws {
    folder = try TestFolder()
    studio = try RunningStudio(folder.copySampleStore("Zones.v7"))
  }

  @Test func `the printed URL gives the page and a cookie, and the cookie is enough`() throws {
    let first = try studio.send(["GET /?token=\(studio.token) HTTP/1.1", "Host: \(studio.host)"])
    #expect(first.status == 200)
    #expect(first.headers["content-type"] == "text/html; charset=utf-8")
    let cookie = try #require(first.headers["set-cookie"])
    #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
    #expect(!cookie.contains(studio.token))
    let pair = try #require(cookie.split(separator: ";").first)
    let second = try studio.send([
      "GET /api/v1/studio HTTP/1.1", "Host: \(studio.host)", "Cookie: other=1; \(pair)",
    ])
    #expect(second.status == 200)
    #expect(second.headers["set-cookie"] == nil)
  }

  @Test func `the code with which a browser is started works once`() throws {
    let gatekeeper = Gatekeeper(port: 1)
    func admit() -> Gatekeeper.Admission? {
      var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/?code=\(gatekeeper.code)")
      head.headers.add(name: "Host", value: "localhost:1")
      return try? gatekeeper.admit(
        WebRequest(head, body: [], Cancellation(after: .seconds(1))))
    }
    #expect(admit() == .new)
    #expect(admit() == nil)
  }

  @Test(arguments: ["/", "/app.js", "/api/v1/studio", "/?token=", "/?token=0000", "/nothing"])
  func `nothing is answered without the token`(path: String) throws {
    let answer = try studio.send(["GET \(path) HTTP/1.1", "Host: \(studio.host)"])
    #expect(answer.status == 403)
    #expect(answer.errorCode == "forbidden")
    #expect(answer.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
  }

  @Test(arguments: [
    "evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example:1",
    "127.0.0.1:80:90", "localhost:8x", "127.0.0.2", "[::2]:80", "",
  ])
  func `a host that is not a name of the loopback interface is refused`(host: String) throws {
    let answer = try studio.send([
      "GET /api/v1/studio HTTP/1.1", "Host: \(host)", "Authorization: Bearer \(studio.token)",
    ])
    #expect(answer.status == 403 || answer.status == 400)
  }

  @Test(arguments: ["localhost", "LOCALHOST:8080", "127.0.0.1", "127.0.0.1:8080", "[::1]:8080"])
  func `each name of the loopback interface is a host, with the port of a tunnel`(
    host: String
  ) throws {
    let answer = try studio.send([
      "GET /api/v1/studio HTTP/1.1", "Host: \(host)", "Authorization: Bearer \(studio.token)",
    ])
    #expect(answer.status == 200)
  }

  @Test(arguments: ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"])
  func `another origin is refused`(origin: String) throws {
    let answer = try studio.send([
      "GET /api/v1/studio HTTP/1.1", "Host: \(studio.host)", "Origin: \(origin)",
      "Authorization: Bearer \(studio.token)",
    ])
    #expect(answer.status == 403)
  }

  @Test(arguments: ["cross-site", "same-site"])
  func `a request from a page of another site is refused, but a link to the page is not`(
    site: String
  ) throws {
    let lines = ["Host: \(studio.host)", "Sec-Fetch-Site: \(site)"]
    let data = try studio.send(
      ["GET /api/v1/studio HTTP/1.1", "Authorization: Bearer \(studio.token)"] + lines)
    #expect(data.status == 403)
    let page = try studio.send(["GET /?token=\(studio.token) HTTP/1.1"] + lines)
    #expect(page.status == 200)
  }

  @Test func `a change needs the header that only the page sends`() throws {
    let lines = [
      "POST /api/v1/check HTTP/1.1", "Host: \(studio.host)",
      "Authorization: Bearer \(studio.token)", "Content-Length: 2",
    ]
    #expect(try studio.send(lines + ["Content-Type: application/json"], "{}").status == 403)
    let plain = lines + ["X-Whimbrel-Studio: 1", "Content-Type: text/plain"]
    #expect(try studio.send(plain, "{}").status == 403)
    #expect(try studio.post("/api/v1/check", "{}").status == 200)
  }

  @Test func `two servers have other tokens and other cookies`() throws {
    let other = try RunningStudio(folder.copySampleStore("Zones.v6"))
    #expect(other.token != studio.token)
    let answer = try studio.send([
      "GET /api/v1/studio HTTP/1.1", "Host: \(studio.host)",
      "Authorization: Bearer \(other.token)",
    ])
    #expect(answer.status == 403)
  }
}
