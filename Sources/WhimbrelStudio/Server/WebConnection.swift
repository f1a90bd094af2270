internal import NIOCore
internal import NIOHTTP1

/// The handler of one connection: it reads requests, one after the other, and writes answers.
///
/// A connection that is idle, or that takes too long to send a request or to take an answer, is
/// closed.
final class WebConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// The limits of time.
  private enum Patience {
    /// For the first request.
    static let first = TimeAmount.seconds(10)
    /// Between requests.
    static let idle = TimeAmount.seconds(75)
    /// For an answer.
    static let answer = TimeAmount.seconds(60)
    /// For a client to take an answer.
    static let taking = TimeAmount.seconds(30)
  }

  /// The limit of the bytes of a request: a schema of some thousand classes fits.
  private static let requestLimit = 4 << 20

  private let service: WebService
  /// The request that is being read.
  private var head: HTTPRequestHead?
  private var body = ByteBuffer()
  private var timer: Scheduled<Void>?
  private var running: Cancellation?
  private var isEventStream = false
  /// Whether the end of an answer waits until the client has taken most of it, and whether the
  /// connection goes on then.
  private var waitingEnd: Bool?

  init(_ service: WebService) { self.service = service }

  func channelActive(context: ChannelHandlerContext) {
    setTimer(Patience.first, context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    running?.cancel()
    if isEventStream { service.events.remove(context.channel) }
    context.fireChannelInactive()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable, let keepsAlive = waitingEnd.take() {
      end(keepsAlive: keepsAlive, context)
    }
    context.fireChannelWritabilityChanged()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard error is HTTPParserError, running == nil, !isEventStream else {
      return context.close(promise: nil)
    }
    refuse(WebError.badRequest("The request is malformed."), context)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      body.clear()
    case .body(var part):
      guard head != nil else { return }
      guard body.readableBytes + part.readableBytes <= Self.requestLimit else {
        let limit = "\(Self.requestLimit >> 20) MiB"
        return refuse(
          WebError(
            status: .payloadTooLarge, code: "tooLarge",
            message: "The request is larger than \(limit)."), context)
      }
      body.writeBuffer(&part)
    case .end:
      guard let head = head.take() else { return }
      timer?.cancel()
      read(head, context)
    }
  }

  /// Answers a request that is complete.
  private func read(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let cancellation = Cancellation(after: Patience.answer)
    do {
      let request = try WebRequest(head, body: Array(body.readableBytesView), cancellation)
      let admission = try service.gatekeeper.admit(request)
      running = cancellation
      service.connections.trust(context.channel)
      answer(request, admission, keepsAlive: head.isKeepAlive, context)
    } catch {
      refuse(error, context)
    }
  }

  /// Answers with an error, and closes the connection: whoever may not use the server shall not keep
  /// its connections, either.
  private func refuse(_ error: any Error, _ context: ChannelHandlerContext) {
    head = nil
    timer?.cancel()
    answer(service.failure(error), keepsAlive: false, isHead: false, context)
  }

  private func answer(
    _ request: WebRequest, _ admission: Gatekeeper.Admission, keepsAlive: Bool,
    _ context: ChannelHandlerContext
  ) {
    let isHead = request.method == .HEAD
    let answered = service.answer(request, admission, on: context.eventLoop)
    answered.assumeIsolated().whenComplete { [self] result in
      guard context.channel.isActive else { return }
      let response =
        switch result {
        case .success(let response): response
        case .failure(let error): service.failure(error)
        }
      answer(response, keepsAlive: keepsAlive, isHead: isHead, context)
    }
  }

  private func answer(
    _ response: WebResponse, keepsAlive: Bool, isHead: Bool, _ context: ChannelHandlerContext
  ) {
    var head = HTTPResponseHead(version: .http1_1, status: response.status)
    for (name, value) in WebService.commonHeaders + response.headers {
      head.headers.add(name: name, value: value)
    }
    head.headers.add(name: "Content-Type", value: response.type)
    if !keepsAlive { head.headers.add(name: "Connection", value: "close") }
    switch response.body {
    case .bytes(let bytes):
      head.headers.add(name: "Content-Length", value: String(bytes.count))
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      if !isHead {
        let buffer = context.channel.allocator.buffer(bytes: bytes)
        context.write(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil)
      }
      setTimer(Patience.taking, context)
      end(keepsAlive: keepsAlive, context)
    case .parts(let write):
      context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
      if isHead { return end(keepsAlive: keepsAlive, context) }
      writeParts(write, keepsAlive: keepsAlive, context)
    case .events:
      isEventStream = true
      context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
      service.events.add(context.channel)
    }
  }

  private func writeParts(
    _ write: @escaping @Sendable (WebWriter) throws -> Void, keepsAlive: Bool,
    _ context: ChannelHandlerContext
  ) {
    let writer = WebWriter(channel: context.channel)
    service.workers.run(service.workers.downloads, on: context.eventLoop) {
      try write(writer)
    }.assumeIsolated().whenComplete { [self] result in
      switch result {
      case .success: end(keepsAlive: keepsAlive, context)
      // The head is sent: only a connection that ends early says that something is missing.
      case .failure: context.close(promise: nil)
      }
    }
  }

  /// Ends an answer. A client that does not take it gets no other one: the next request is read
  /// after the end.
  private func end(keepsAlive: Bool, _ context: ChannelHandlerContext) {
    context.flush()
    guard context.channel.isWritable else {
      waitingEnd = keepsAlive
      return
    }
    running = nil
    let written = context.writeAndFlush(wrapOutboundOut(.end(nil)))
    written.assumeIsolated().whenComplete { [self] result in
      if case .success = result, keepsAlive {
        setTimer(Patience.idle, context)
      } else {
        context.close(promise: nil)
      }
    }
  }

  /// Closes the connection after a time, unless another timer is set before.
  private func setTimer(_ time: TimeAmount, _ context: ChannelHandlerContext) {
    timer?.cancel()
    let channel = context.channel
    timer = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
  }
}
