internal import WhimbrelEngine
internal import WhimbrelLMDB

/// A thread that reads the values of one loop, with a store of its own.
///
/// It waits for the disk and runs the app's code, so it must not be one of the cooperative pool.
struct ValueReader<Value: Sendable & Equatable>: Sendable {
  private let values: StoreValues<Value>
  private let exchange: ValueExchange<Value>

  init(_ values: StoreValues<Value>, _ exchange: ValueExchange<Value>) {
    self.values = values
    self.exchange = exchange
  }

  func start() {
    do {
      try BackgroundThread.start("Whimbrel values") { self.run() }
    } catch {
      exchange.fail(values.file.explain(error))
    }
  }

  private func run() {
    do {
      try answerRequests()
    } catch {
      exchange.fail(values.file.explain(error))
    }
  }

  private func answerRequests() throws {
    let exchange = exchange
    // First, so that nothing is committed unheard.
    let commits = try values.file.environment.commitSignals.subscribe { event in
      if event == .moved { exchange.noteMove() } else { exchange.noteNews() }
    }
    let closing = values.file.closing.subscribe { _ in exchange.noteNews() }
    defer { withExtendedLifetime((commits, closing)) {} }
    let store = try Store(reading: values.file, values.configuration)
    let session = store.session
    var transactionID = 0
    var last: Value?
    while true {
      switch exchange.work() {
      case .end: return
      case .tellOfMove: throw StoreError.storeMoved(path: values.file.path)
      case .read:
        _ = try session.refresh()
        // One commit may be told several times.
        if session.view.transactionID != transactionID {
          transactionID = session.view.transactionID
          let value = try session.throwingDeferred { try values.read(store) }
          try session.requireOpen()
          if value != last {
            last = value
            exchange.answer(value)
          }
        }
        session.pauseReading()
      }
    }
  }
}
