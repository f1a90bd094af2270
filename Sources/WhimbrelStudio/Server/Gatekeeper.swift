internal import NIOHTTP1
internal import Synchronization

/// The rules that decide who may use the server.
///
/// They keep out other users of the machine, and pages of other origins in the same browser. Programs
/// of this user can read the token in the terminal.
///
/// 1. The host of a request is a name of the loopback interface. A page that lets its own name lead
///    to this machine (DNS rebinding) has another host.
/// 2. A request that says where it comes from comes from this server's page.
/// 3. A request has the token: in the URL that the tool prints, in the cookie that the answer to
///    that URL sets, or in the header `Authorization` for programs. The tool starts a browser with a
///    code instead, which works once: all users can see the arguments of a process.
/// 4. A request that changes something has a header that other origins may not send.
final class Gatekeeper: Sendable {
  /// The token in the URL.
  let token: String
  /// The code in the URL that a browser is started with.
  let code: String
  private let isCodeUsed = Atomic(false)
  /// The value of the cookie.
  private let secret: String
  private let cookieName: String

  init(port: Int) {
    token = Self.randomText()
    code = Self.randomText()
    secret = Self.randomText()
    // Cookies do not know ports: each server on this machine needs its own.
    cookieName = "whimbrel-studio-\(port)"
  }

  /// The header that sets the cookie.
  var cookie: (String, String) {
    ("Set-Cookie", "\(cookieName)=\(secret); Path=/; HttpOnly; SameSite=Strict")
  }

  /// A request that may be answered.
  enum Admission {
    /// The browser has no cookie yet.
    case new
    case known
  }

  /// Lets a request pass, or refuses it.
  func admit(_ request: WebRequest) throws(WebError) -> Admission {
    try checkHost(of: request)
    if isNew(request) { return .new }
    guard isKnown(request) else {
      throw .forbidden("Open the URL that 'whimbrel studio' printed. It contains a token.")
    }
    try checkHeaders(of: request)
    return .known
  }

  private func checkHeaders(of request: WebRequest) throws(WebError) {
    guard request.method != .GET, request.method != .HEAD else { return }
    guard request.headers.first(name: "X-Whimbrel-Studio") == "1",
      request.headers.first(name: "Content-Type")?.hasPrefix("application/json") == true
    else {
      throw .forbidden("A request that changes something must have the header 'X-Whimbrel-Studio'.")
    }
  }

  private func checkHost(of request: WebRequest) throws(WebError) {
    let hosts = request.headers["Host"]
    guard hosts.count == 1, let host = hosts.first, Self.isLoopback(host) else {
      throw .forbidden("The host of the URL must be 'localhost' or '127.0.0.1'.")
    }
    if let origin = request.headers.first(name: "Origin"), origin != "http://\(host)" {
      throw .forbidden("Pages from other origins cannot use this server.")
    }
    let site = request.headers.first(name: "Sec-Fetch-Site") ?? "none"
    // The first request follows a link of a terminal, or of any program; it has the token.
    let isPage = request.path == "/" && request.method == .GET
    guard isPage || site == "none" || site == "same-origin" else {
      throw .forbidden("Pages from other origins cannot use this server.")
    }
  }

  private static func isLoopback(_ host: String) -> Bool {
    var name = Substring(host)
    if let colon = name.lastIndex(of: ":"), !name.hasSuffix("]") {
      guard name[name.index(after: colon)...].allSatisfy({ "0"..."9" ~= $0 }) else { return false }
      name = name[..<colon]
    }
    return ["localhost", "127.0.0.1", "[::1]"].contains(name.lowercased())
  }

  private func isKnown(_ request: WebRequest) -> Bool {
    if let header = request.headers.first(name: "Authorization"), header.hasPrefix("Bearer ") {
      return Self.areEqual(String(header.dropFirst(7)), token)
    }
    return request.headers["Cookie"].contains { line in
      line.split(separator: ";").contains { part in
        let sides = part.split(separator: "=", maxSplits: 1)
        guard sides.count == 2 else { return false }
        let name = sides[0].drop { $0 == " " }
        return name == cookieName && Self.areEqual(String(sides[1]), secret)
      }
    }
  }

  /// Returns whether the URL of a request has the token, or the code for the first time. Only the page
  /// is at such a URL.
  private func isNew(_ request: WebRequest) -> Bool {
    guard request.path == "/", request.method == .GET else { return false }
    if Self.areEqual(request.parameters["token"] ?? "", token) { return true }
    return Self.areEqual(request.parameters["code"] ?? "", code)
      && !isCodeUsed.exchange(true, ordering: .relaxed)
  }

  /// Compares texts in a time that does not depend on where they differ.
  private static func areEqual(_ text: String, _ other: String) -> Bool {
    guard text.utf8.count == other.utf8.count else { return false }
    return zip(text.utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Returns 256 random bits as hexadecimal digits.
  private static func randomText() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
