internal import NIOCore
internal import NIOHTTP1
internal import Synchronization

/// A complete request of a browser.
struct WebRequest: Sendable {
  let method: HTTPMethod
  /// The decoded path, without the query.
  let path: String
  /// The parameters of the query. Of several with one name, the last counts.
  let parameters: [String: String]
  let headers: HTTPHeaders
  let body: [UInt8]
  /// Whether the client has gone, or the time for the answer has passed.
  let cancellation: Cancellation

  /// - Throws: ``WebError`` if the URL is not well formed.
  init(
    _ head: HTTPRequestHead, body: [UInt8], _ cancellation: Cancellation
  ) throws(WebError) {
    let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = PercentCoding.decode(parts[0], plusIsSpace: false), path.hasPrefix("/") else {
      throw .badRequest("The path of the URL is malformed.")
    }
    var parameters: [String: String] = [:]
    for pair in parts.dropFirst().first?.split(separator: "&") ?? [] {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = PercentCoding.decode(sides[0], plusIsSpace: true),
        let value = PercentCoding.decode(sides.count > 1 ? sides[1] : "", plusIsSpace: true)
      else { throw .badRequest("The query of the URL is malformed.") }
      parameters[name] = value
    }
    method = head.method
    self.path = path
    self.parameters = parameters
    headers = head.headers
    self.body = body
    self.cancellation = cancellation
  }
}

extension WebRequest {
  /// Returns a parameter that must be there.
  func required(_ name: String) throws(WebError) -> String {
    guard let value = parameters[name] else { throw .badRequest("'\(name)' is missing.") }
    return value
  }

  /// Returns a parameter that is a whole number from 0, or nil if it is not there.
  func number(_ name: String) throws(WebError) -> Int? {
    guard let text = parameters[name] else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw .badRequest("'\(name)' must be a whole number of at least 0.")
    }
    return number
  }

  /// Returns whether a parameter is `1`.
  func flag(_ name: String) -> Bool { parameters[name] == "1" }

  /// Returns a parameter, or nil if it is missing or empty.
  func text(_ name: String) -> String? {
    parameters[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// A flag that says whether an answer is still wanted.
final class Cancellation: Sendable {
  private let flag = Atomic(false)
  private let deadline: NIODeadline

  init(after time: TimeAmount) { deadline = .now() + time }

  /// Whether nobody waits for the answer any more.
  var isCancelled: Bool { hasClientGone || NIODeadline.now() > deadline }

  var hasClientGone: Bool { flag.load(ordering: .relaxed) }

  /// Notes that the client has gone.
  func cancel() { flag.store(true, ordering: .relaxed) }
}

/// The percent encoding of URLs.
enum PercentCoding {
  /// Returns the text that was encoded, or nil if it is not well formed.
  static func decode(_ text: Substring, plusIsSpace: Bool) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        // A number may have a sign, and two digits may not.
        guard rest.count >= 2, let first = rest.first, !"+-".utf8.contains(first),
          let value = UInt8(Substring(rest.prefix(2)), radix: 16)
        else { return nil }
        rest = rest.dropFirst(2)
        bytes.append(value)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
