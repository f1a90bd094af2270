internal import Foundation
internal import NIOHTTP1
internal import WhimbrelEngine
internal import WhimbrelInspection

/// The requests that a page, or a program, can make under ``root``. The article on the Studio describes
/// them.
final class StudioAPI: Sendable {
  /// The beginning of the paths of all requests, with the version.
  static let root = "/api/v1/"
  /// The limit of the bytes of an answer that is not a download.
  static let answerLimit = 32 << 20

  let store: StudioStore
  let page: StudioPage
  let check: CheckJob
  let edits = EditHistory()
  let events: EventStreams

  init(_ store: StudioStore, _ page: StudioPage, _ events: EventStreams) {
    self.store = store
    self.page = page
    self.events = events
    check = CheckJob(store) { events.send("check", $0) }
  }
}

// MARK: - Routes

extension StudioAPI {
  /// A kind of request.
  struct Route: Sendable {
    let method: HTTPMethod
    let path: String
    /// Whether the answer may take longer than a moment.
    var isLong = false
    var isEventStream = false
    let answer: @Sendable (StudioAPI, WebRequest) throws -> WebResponse
  }

  private static let routes: [Route] = [
    Route(method: .GET, path: "studio") { try $0.studio($1) },
    Route(method: .GET, path: "info") { try $0.info($1) },
    Route(method: .GET, path: "sizes") { try $0.sizes($1) },
    Route(method: .GET, path: "schema") { try $0.schema($1) },
    Route(method: .GET, path: "history") { try $0.history($1) },
    Route(method: .GET, path: "classes") { try $0.classes($1) },
    Route(method: .GET, path: "statistics", isLong: true) { try $0.statistics($1) },
    Route(method: .GET, path: "objects") { try $0.objects($1) },
    Route(method: .GET, path: "explain") { try $0.explain($1) },
    Route(method: .GET, path: "object") { try $0.object($1) },
    Route(method: .GET, path: "show") { try $0.show($1) },
    Route(method: .GET, path: "collection") { try $0.collection($1) },
    Route(method: .GET, path: "incoming") { try $0.incoming($1) },
    Route(method: .GET, path: "text") { try $0.text($1) },
    Route(method: .GET, path: "data") { try $0.data($1) },
    Route(method: .GET, path: "check") { api, _ in .json(try api.check.json()) },
    Route(method: .POST, path: "check") { api, _ in
      api.check.start()
      return .json(try api.check.json())
    },
    Route(method: .GET, path: "stores") { try $0.stores($1) },
    Route(method: .GET, path: "diff", isLong: true) { try $0.diff($1) },
    Route(method: .POST, path: "plan", isLong: true) { try $0.plan($1) },
    Route(method: .POST, path: "edit", isLong: true) { try $0.edit($1) },
    Route(method: .GET, path: "undo") { api, _ in .json(api.edits.json) },
    Route(method: .POST, path: "undo", isLong: true) { try $0.undo($1) },
    Route(method: .GET, path: "export", isLong: true) { try $0.export($1) },
    Route(method: .GET, path: "events", isEventStream: true) { _, _ in throw WebError.notFound },
  ]

  /// Returns the route of a request.
  func route(_ path: String, _ method: HTTPMethod) throws(WebError) -> Route {
    let method = method == .HEAD ? .GET : method
    let here = Self.routes.filter { $0.path == path }
    if here.isEmpty { throw .notFound }
    guard let route = here.first(where: { $0.method == method }) else {
      throw WebError(
        status: .methodNotAllowed, code: "badRequest",
        message: "This address accepts \(here.map(\.method.rawValue).joined(separator: " and ")).")
    }
    return route
  }
}

// MARK: - Answers

extension StudioAPI {
  /// Returns the answer with JSON, unless it is too long.
  func answer(_ json: some Sequence<UInt8>) throws(WebError) -> WebResponse {
    let bytes = Array(json)
    guard bytes.count <= Self.answerLimit else {
      throw WebError(
        status: .payloadTooLarge, code: "tooLarge",
        message: "The answer has more than \(Self.answerLimit >> 20) MiB. Request less.")
    }
    return .json(bytes)
  }

  func answer(_ json: String) throws(WebError) -> WebResponse { try answer(json.utf8) }

  /// Reads the last commit. Queries stop when the client has gone, or after a time.
  func read(
    _ request: WebRequest, _ body: (StoreInspector) throws -> WebResponse
  ) throws -> WebResponse {
    do {
      return try store.read { inspector in
        try inspector.session.interrupting(when: { request.cancellation.isCancelled }) {
          try body(inspector)
        }
      }
    } catch is QueryInterrupted {
      throw InspectionError.cancelled(store.path, "query")
    }
  }

  /// Returns a monitor that cancels work when the client has gone, or after a time. It tells the pages
  /// of the progress if the request gives it a name, in the parameter `progress`.
  func monitor(_ request: WebRequest) throws(WebError) -> WorkMonitor {
    let isCancelled = { request.cancellation.isCancelled }
    guard let name = request.text("progress") else { return WorkMonitor(isCancelled: isCancelled) }
    guard name.utf8.count <= 64 else {
      throw .badRequest("'progress' must be a name of at most 64 bytes.")
    }
    let pace = Pace()
    return WorkMonitor(isCancelled: isCancelled) { [events] progress in
      guard pace.isDue() else { return }
      let members = #""name":\#(JSONText.of(name)),\#(JSONText.members(of: progress))"#
      events.send("progress", Array("{\(members)}".utf8))
    }
  }
}

// MARK: - Failures

extension StudioAPI {
  /// Returns the answer for an error.
  static func failure(_ error: any Error) -> WebResponse {
    let body = Array(#"{"error":"#.utf8) + json(of: error) + [UInt8(ascii: "}")]
    return .json(body, status: status(of: error))
  }

  /// Returns an error as JSON.
  static func json(of error: any Error) -> [UInt8] {
    var text = #"{"code":\#(JSONText.of(code(of: error)))"#
    text += #","message":\#(JSONText.of(message(of: error)))"#
    if let offset = offset(of: error) { text += #","offset":\#(offset)"# }
    return Array((text + "}").utf8)
  }

  /// Returns the words for an error: those that the tool prints.
  static func message(of error: any Error) -> String {
    switch error {
    case let error as WebError: return error.message
    case let error as StoreError:
      let words = ErrorWords(error)
      return "\(words.message)\n\(words.hint)"
    case let error as InspectionError: return "\(error.message)\n\(error.recovery)"
    default: return "\(error)"
    }
  }

  private static func code(of error: any Error) -> String {
    switch error {
    case let error as WebError: error.code
    case let error as StoreError: "\(error.code)"
    case let error as InspectionError: "\(error.code)"
    default: "unknown"
    }
  }

  private static func offset(of error: any Error) -> Int? {
    if let error = error as? WebError { return error.offset }
    return ((error as? StoreError)?.underlying as? QueryTextError)?.utf16Offset
  }

  private static func status(of error: any Error) -> HTTPResponseStatus {
    switch error {
    case let error as WebError: error.status
    case StoreError.Code.unknownClass, InspectionError.Code.noSuchObject,
      StoreError.Code.fileNotFound:
      .notFound
    case StoreError.Code.damaged, StoreError.Code.truncated: .internalServerError
    case StoreError.Code.migrationInProgress, StoreError.Code.duplicateValues,
      StoreError.Code.duplicatePrimaryKey, InspectionError.Code.changedMeanwhile:
      .conflict
    case InspectionError.Code.cancelled:
      .serviceUnavailable
    case is StoreError, is InspectionError: .badRequest
    default: .internalServerError
    }
  }
}
