internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// A server on the loopback interface.
final class WebServer: Sendable {
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let channel: any Channel
  private let connections: Connections
  /// The port at which it listens.
  let port: Int

  /// Binds a port, but accepts nothing yet.
  ///
  /// - Parameter service: Returns the service for the port.
  init(port: Int, _ service: (Int) -> WebService) throws {
    let found = Held<WebService>()
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelOption(.autoRead, value: false)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard let service = found.value else { return }
          try Self.prepare(channel, for: service)
        }
      }
    do {
      channel = try bootstrap.bind(host: "127.0.0.1", port: port).wait()
    } catch {
      try? group.syncShutdownGracefully()
      throw error
    }
    self.port = channel.localAddress?.port ?? port
    let service = service(self.port)
    connections = service.connections
    found.value = service
  }

  /// Accepts connections.
  func start() throws {
    try channel.setOption(.autoRead, value: true).wait()
    channel.read()
  }

  private static func prepare(_ channel: any Channel, for service: WebService) throws {
    service.connections.add(channel)
    let pipeline = channel.pipeline.syncOperations
    // The connection answers malformed requests by itself, with the headers of every answer.
    try pipeline.configureHTTPServerPipeline(
      withPipeliningAssistance: true, withErrorHandling: false)
    try pipeline.addHandler(WebConnection(service))
  }

  /// Closes all connections, and accepts no others.
  func close() {
    try? channel.close().wait()
    connections.closeAll()
  }

  /// Ends the threads. The work for connections must have ended, because it ends on them.
  func stop() { try? group.syncShutdownGracefully() }
}
