#if os(Linux)
  import Foundation
  import Synchronization
  import Testing

  @testable import WhimbrelEngine

  struct ConversionPriorityTests {
    /// The nice values of the threads on which a rule has run.
    private final class NiceValues: Sendable {
      private let values = Mutex<Set<Int32>>([])

      var all: Set<Int32> { values.withLock { $0 } }

      func addOwn() {
        // Linux: this is the value of the calling thread.
        let own = nice(0)
        values.withLock { _ = $0.insert(own) }
      }
    }

    private final class NotingRule: RuleBody {
      private let values: NiceValues

      init(_ values: NiceValues) { self.values = values }

      func run(_ id: ObjectID) { values.addOwn() }
    }

    @Test func `objects are converted with a lower priority than the app has`() async throws {
      let store = try BigMigration.store(20)
      let (values, own) = (NiceValues(), NiceValues())
      var request = BigMigration.onlineRequest(store.path)
      request.declaration?.rules = RuleBook([
        ObjectRule(
          from: 1, BigMigration.old[0], ClassSchema("Item", .required("length", .int)), isLast: true
        ) { _ in NotingRule(values) }
      ])
      own.addOwn()
      let file = try StoreFile.open(request)
      let driver = try #require(file.transitionDriver)
      let (ends, ended) = AsyncStream<Void>.makeStream()
      let listener = driver.addListener { if $0 == nil { ended.finish() } }
      driver.resume()
      for await _ in ends {}
      driver.removeListener(listener)
      #expect(try !file.isInTransition())
      let expected = try #require(own.all.first) + TransitionDriver.niceness
      #expect(values.all == [min(expected, 19)])
      file.close()
    }
  }
#endif
