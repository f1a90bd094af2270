internal import NIOHTTP1

/// An answer to a request.
struct WebResponse: Sendable {
  var status: HTTPResponseStatus
  var type: String
  var body: Body
  /// Headers beside the type and those that every answer has.
  var headers: [(String, String)] = []

  enum Body: Sendable {
    case bytes([UInt8])
    /// Bytes that a closure writes, one part after the other, on a thread that may wait.
    case parts(@Sendable (WebWriter) throws -> Void)
    /// A stream of events for as long as the page is open.
    case events
  }

  static func json(_ bytes: [UInt8], status: HTTPResponseStatus = .ok) -> WebResponse {
    WebResponse(status: status, type: "application/json; charset=utf-8", body: .bytes(bytes))
  }
}

/// A failure, with the answer that it gets.
struct WebError: Error {
  let status: HTTPResponseStatus
  let code: String
  let message: String
  /// The place in the text of a query, in UTF-16 code units.
  var offset: Int?

  static func badRequest(_ message: String) -> WebError {
    WebError(status: .badRequest, code: "badRequest", message: message)
  }

  static func forbidden(_ message: String) -> WebError {
    WebError(status: .forbidden, code: "forbidden", message: message)
  }

  static var notFound: WebError {
    WebError(status: .notFound, code: "notFound", message: "This address does not exist.")
  }

  static func conflict(_ code: String, _ message: String) -> WebError {
    WebError(status: .conflict, code: code, message: message)
  }

  static var busy: WebError {
    WebError(
      status: .serviceUnavailable, code: "busy",
      message: "The server is busy with other requests. Try again.")
  }
}
