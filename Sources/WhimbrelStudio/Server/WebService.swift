internal import NIOCore
internal import NIOHTTP1

/// Everything that the connections of a server share.
final class WebService: Sendable {
  let gatekeeper: Gatekeeper
  let events: EventStreams
  let workers: Workers
  let connections: Connections
  private let api: StudioAPI

  init(_ api: StudioAPI, _ gatekeeper: Gatekeeper, _ events: EventStreams, _ workers: Workers) {
    self.api = api
    self.gatekeeper = gatekeeper
    self.events = events
    self.workers = workers
    connections = Connections()
  }

  /// The headers of every answer. Scripts, styles and images come from this server alone, whatever a
  /// value of the store contains, and no other page may frame or read it.
  static let commonHeaders = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
        + "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
  ]

  /// Answers a request that the gatekeeper has let pass.
  func answer(
    _ request: WebRequest, _ admission: Gatekeeper.Admission, on loop: any EventLoop
  ) -> EventLoopFuture<WebResponse> {
    guard request.path.hasPrefix(StudioAPI.root) else {
      return loop.makeCompletedFuture { try page(request, admission) }
    }
    let api = api
    let path = String(request.path.dropFirst(StudioAPI.root.count))
    do {
      let route = try api.route(path, request.method)
      if route.isEventStream, request.method == .GET {
        return loop.makeSucceededFuture(
          WebResponse(status: .ok, type: "text/event-stream", body: .events))
      }
      let body: @Sendable () throws -> WebResponse = { try route.answer(api, request) }
      return workers.run(route.isLong ? workers.long : workers.quick, on: loop, body)
    } catch {
      return loop.makeFailedFuture(error)
    }
  }

  /// Returns a file of the page.
  private func page(
    _ request: WebRequest, _ admission: Gatekeeper.Admission
  ) throws -> WebResponse {
    guard request.method == .GET || request.method == .HEAD else {
      throw WebError(
        status: .methodNotAllowed, code: "badRequest", message: "The page is read-only.")
    }
    guard var response = api.page.file(request.path) else { throw WebError.notFound }
    if admission == .new { response.headers.append(gatekeeper.cookie) }
    return response
  }

  /// Returns the answer for a failure.
  func failure(_ error: any Error) -> WebResponse { StudioAPI.failure(error) }
}
