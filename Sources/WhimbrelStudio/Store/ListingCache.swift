internal import Synchronization
internal import WhimbrelInspection

/// The orders of objects that pages show: a page scrolls through one while others write.
final class ListingCache: Sendable {
  /// A request for an order of objects.
  struct Request: Hashable, Sendable {
    var className: String
    var query: String
    var sortPath: String?
    var isDescending: Bool
  }

  private struct Entry: Sendable {
    let number: Int
    let request: Request
    let commit: Int
    let listing: ObjectListing
    var lastUse: Int
  }

  /// The limit of objects in all orders, at 8 bytes each. The last order is kept whatever its size.
  private static let objectLimit = 2_000_000
  /// The limit of orders.
  private static let countLimit = 16

  private struct State {
    var entries: [Entry] = []
    var clock = 0
    var lastNumber = 0
  }

  private let state = Mutex(State())

  /// Returns an order by its number, or nil if it is no longer kept or another request's.
  func listing(_ number: Int, for request: Request) -> ObjectListing? {
    use { $0.number == number && $0.request == request }?.listing
  }

  /// Returns the order of a request in a commit, and its number, or nil.
  func listing(for request: Request, commit: Int) -> (number: Int, listing: ObjectListing)? {
    use { $0.request == request && $0.commit == commit }.map { ($0.number, $0.listing) }
  }

  private func use(_ isWanted: (Entry) -> Bool) -> Entry? {
    state.withLock { state in
      guard let index = state.entries.firstIndex(where: isWanted) else { return nil }
      state.clock += 1
      state.entries[index].lastUse = state.clock
      return state.entries[index]
    }
  }

  /// Keeps an order, and returns its number. Those that were used least recently make room for it.
  func add(_ listing: ObjectListing, for request: Request, commit: Int) -> Int {
    state.withLock { state in
      state.clock += 1
      state.lastNumber += 1
      state.entries.sort { $0.lastUse > $1.lastUse }
      var room = Self.objectLimit - listing.count
      var kept: [Entry] = []
      for entry in state.entries.prefix(Self.countLimit - 1) {
        room -= entry.listing.count
        if room < 0 { break }
        kept.append(entry)
      }
      kept.append(
        Entry(
          number: state.lastNumber, request: request, commit: commit, listing: listing,
          lastUse: state.clock))
      state.entries = kept
      return state.lastNumber
    }
  }

  /// Forgets all orders: the file was replaced.
  func removeAll() { state.withLock { $0.entries.removeAll() } }
}
