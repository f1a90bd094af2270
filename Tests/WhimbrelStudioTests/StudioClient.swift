import Foundation
import Testing
import WhimbrelInspectionTestSupport

@testable import WhimbrelStudio

/// A server in this process, with a client that can send whatever bytes a test wants.
final class RunningStudio: Sendable {
  let url: URL
  let token: String
  private let isStopped: Held<Bool>
  private let ended = DispatchSemaphore(value: 0)

  init(_ path: String, _ change: (inout Studio.Options) -> Void = { _ in }) throws {
    var options = Studio.Options(path: path)
    options.keepsRunning = true
    change(&options)
    let found = Held<Result<String, any Error>>()
    let (isStopped, ended, ready) = (Held<Bool>(), ended, DispatchSemaphore(value: 0))
    let chosen = options
    Thread.detachNewThread {
      do {
        let studio = try Studio(chosen)
        found.value = .success(studio.url)
        ready.signal()
        _ = try studio.run { isStopped.value == true }
      } catch {
        found.value = .failure(error)
        ready.signal()
      }
      ended.signal()
    }
    ready.wait()
    self.isStopped = isStopped
    let text = try #require(try found.value?.get())
    url = try #require(URL(string: text))
    token = try #require(text.split(separator: "=").last.map(String.init))
  }

  /// Stops the server, and waits until it has ended.
  func stop() {
    isStopped.value = true
    waitForEnd()
  }

  /// Waits until the server has ended by itself.
  func waitForEnd() {
    ended.wait()
    ended.signal()
  }

  deinit { stop() }

  /// The value of `Host` that a browser sends.
  var host: String { "127.0.0.1:\(url.port ?? 0)" }

  /// Sends the lines of a request with the token, and returns the answer.
  func get(_ path: String) throws -> Answer {
    try send(["GET \(path) HTTP/1.1", "Host: \(host)", "Authorization: Bearer \(token)"])
  }

  /// Sends a request of the page with JSON.
  func post(_ path: String, _ body: String) throws -> Answer {
    try send(
      [
        "POST \(path) HTTP/1.1", "Host: \(host)", "Authorization: Bearer \(token)",
        "X-Whimbrel-Studio: 1", "Content-Type: application/json",
        "Content-Length: \(body.utf8.count)",
      ], body)
  }

  /// Sends the lines of a request, and returns the answer.
  func send(_ lines: [String], _ body: String = "") throws -> Answer {
    let connection = try Connection(port: url.port ?? 0)
    connection.send((lines + ["Connection: close", "", ""]).joined(separator: "\r\n") + body)
    return Answer(connection.readAll())
  }
}

/// A TCP connection to this machine.
final class Connection: Sendable {
  private let socket: Int32

  init(port: Int) throws {
    #if canImport(Darwin)
      socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)
    #else
      socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
    let socket = socket
    let code = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(code == 0)
  }

  deinit { close(socket) }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(socket, $0.baseAddress, $0.count) }
  }

  /// Reads what is there, and waits if there is nothing. Returns nothing at the end.
  func read() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe buffer.withUnsafeMutableBytes {
      unsafe Foundation.read(socket, $0.baseAddress, $0.count)
    }
    return Array(buffer.prefix(max(count, 0)))
  }

  func readAll() -> [UInt8] {
    var all: [UInt8] = []
    while case let part = read(), !part.isEmpty { all += part }
    return all
  }

  /// Reads until a text has come, and returns everything so far.
  func read(until text: String) -> String {
    var all = ""
    while !all.contains(text), case let part = read(), !part.isEmpty {
      all += String(decoding: part, as: UTF8.self)
    }
    return all
  }
}

/// An answer of a server.
struct Answer {
  let status: Int
  let headers: [String: String]
  let body: String

  init(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let halves = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    let lines = halves[0].split(separator: "\r\n")
    status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    headers = Dictionary(
      lines.dropFirst().compactMap { line in
        let sides = line.split(separator: ":", maxSplits: 1).map(String.init)
        guard sides.count == 2 else { return nil }
        return (sides[0].lowercased(), sides[1].trimmingCharacters(in: .whitespaces))
      }, uniquingKeysWith: { $1 })
    body = halves.count > 1 ? String(halves[1]) : ""
  }

  /// The body as JSON.
  func json() throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
  }

  /// The code of the error in the body.
  var errorCode: String? {
    (try? json())?["error"].flatMap { ($0 as? [String: Any])?["code"] as? String }
  }
}
