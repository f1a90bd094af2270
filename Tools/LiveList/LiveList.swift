import Foundation
import Whimbrel
import Zones

/// A list of zones in the terminal that follows what other processes write.
@main @MainActor
struct LiveList {
  static func main() async {
    do {
      let options = try Options(CommandLine.arguments.dropFirst())
      if options.showsUsage { return print(Options.usage) }
      let task = Task { try await show(options) }
      let interrupts = onInterrupt { task.cancel() }
      if let time = options.time {
        Task {
          try await Task.sleep(for: time)
          task.cancel()
        }
      }
      try await task.value
      interrupts.cancel()
    } catch let error as UsageError {
      complain("Error: \(error.reason)")
      complain(Options.usage)
      exit(64)
    } catch let error as StoreError {
      complain("Error: \(error.message)")
      complain("Hint: \(error.recovery)")
      exit(1)
    } catch {
      complain("Error: \(error.localizedDescription)")
      exit(1)
    }
  }

  /// Shows the zones and each change of them, until the task is cancelled.
  private static func show(_ options: Options) async throws {
    let file = try options.path.map(ShownFile.init(path:)) ?? ShownFile.copyOfSample()
    defer { file.removeCopy() }
    let store = try Store(.zones(url: URL(filePath: file.path)))
    try await store.transition.finish()
    try store.refresh()
    var zones = store.objects(Zone.self).results
    if let condition = options.condition { zones = try zones.where(condition) }
    zones = zones.sorted(by: [.descending(\.latitude), .ascending(\.identifier)])

    let screen = Screen()
    screen.introduce(file)
    var list = ZoneList()
    for await change in zones.changes {
      switch change {
      case .initial(let zones):
        list.show(zones)
        screen.show(list, ["\(zones.count) zones, from north to south"])
      case .update(let zones, let update):
        let lines = list.follow(zones, update)
        screen.show(list, lines)
      case .error(let error):
        throw error
      }
    }
  }

  /// Calls a closure when the user presses Ctrl-C, instead of ending the process.
  private static func onInterrupt(
    _ body: @escaping @Sendable () -> Void
  ) -> any DispatchSourceSignal {
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler(handler: body)
    source.resume()
    return source
  }

  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }
}
