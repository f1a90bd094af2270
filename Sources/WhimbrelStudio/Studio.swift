internal import CWhimbrelStudioWeb
internal import Foundation
internal import NIOCore
internal import WhimbrelEngine
internal import WhimbrelInspection

/// A server that shows a store in a browser, as `whimbrel studio` starts it.
///
/// ```swift
/// let studio = try Studio(Studio.Options(path: "zones.whimbrel"))
/// print(studio.url)
/// _ = try studio.run { isInterrupted }
/// ```
///
/// It listens on the loopback interface only, and answers only requests that have the token of its
/// URL. The store is only read, unless ``Options/isWritable`` is set.
package final class Studio {
  /// The choices for a server.
  package struct Options: Sendable {
    /// The path of the store.
    package var path: String
    /// The port, or nil for one that is free. The default is nil.
    package var port: Int?
    /// Whether pages may change objects. The default is that they may not.
    package var isWritable = false
    /// Whether the server goes on when the last page was closed. The default is that it stops.
    package var keepsRunning = false
    /// The path of the schema that the app declares, or nil.
    package var appSchema: String?
    /// A folder with the files of the page, or nil for those in the tool.
    package var pageFolder: String?

    package init(path: String) { self.path = path }
  }

  /// The reasons for which a server stops.
  package enum End: Sendable {
    case stopped, pageClosed
  }

  /// The time after the last page was closed in which it may be loaded again.
  private static let patience = TimeAmount.seconds(10)

  private let options: Options
  private let store: StudioStore
  private let api: StudioAPI
  private let events: EventStreams
  private let workers: Workers
  private let feed: LiveFeed
  private let server: WebServer
  private let gatekeeper: Gatekeeper

  /// Opens the store and takes a port.
  ///
  /// - Throws: `StoreError` if the store cannot be opened, and ``InspectionError`` with `portInUse`.
  package init(_ options: Options) throws {
    self.options = options
    if let schema = options.appSchema { _ = try SchemaSource.file(at: schema) }
    let store = try StudioStore(
      path: options.path, isWritable: options.isWritable, appSchema: options.appSchema)
    let feed = Held<LiveFeed>()
    let events = EventStreams { feed.value?.lookForPages() }
    let api = StudioAPI(store, StudioPage(folder: options.pageFolder), events)
    let (workers, gate) = (Workers(), Held<Gatekeeper>())
    func serve(_ port: Int) throws -> WebServer {
      try WebServer(port: port) { port in
        let gatekeeper = Gatekeeper(port: port)
        gate.value = gatekeeper
        return WebService(api, gatekeeper, events, workers)
      }
    }
    do {
      if let port = options.port {
        server = try serve(port)
      } else {
        server = try (try? serve(store.usualPort())) ?? serve(0)
      }
    } catch {
      workers.stop()
      store.close()
      throw InspectionError.portInUse(options.port ?? 0, "\(error)")
    }
    gatekeeper = gate.value ?? Gatekeeper(port: server.port)
    self.store = store
    self.workers = workers
    self.api = api
    self.events = events
    self.feed = LiveFeed(store, events)
    feed.value = self.feed
  }

  /// The URL of the page, with the token.
  package var url: String { "http://127.0.0.1:\(server.port)/?token=\(gatekeeper.token)" }

  /// The URL to start a browser with. It works once: all users of a machine can see the arguments of a
  /// process.
  package var urlForBrowser: String {
    "http://127.0.0.1:\(server.port)/?code=\(gatekeeper.code)"
  }

  /// Answers requests until it is stopped, or until the last page was closed for some seconds.
  ///
  /// - Parameter isStopped: Is called several times a second.
  package func run(until isStopped: () -> Bool) throws -> End {
    defer { stop() }
    whimbrel_studio_return_large_blocks()
    try feed.start()
    try server.start()
    var lastSign = NIODeadline.now()
    while !isStopped() {
      Thread.sleep(forTimeInterval: 0.05)
      if NIODeadline.now() - lastSign > .seconds(15) {
        lastSign = .now()
        events.keepAlive()
      }
      if !options.keepsRunning, let time = events.timeWithoutPage, time > Self.patience {
        return .pageClosed
      }
    }
    return .stopped
  }

  private func stop() {
    events.send("goodbye", Array("{}".utf8))
    api.check.stop()
    feed.stop()
    server.close()
    workers.stop()
    server.stop()
    store.close()
  }
}

extension InspectionError.Code {
  /// The port is not free.
  static let portInUse = Self("portInUse")
}

extension InspectionError {
  static func portInUse(_ port: Int, _ reason: String) -> InspectionError {
    InspectionError(
      .portInUse, "Could not listen on port \(port): \(PlainText.escaped(reason)).",
      "Choose another port, or omit '--port' to use any free port.")
  }
}
