internal import WhimbrelEngine

/// An observation, which lasts until the token is invalidated or released.
///
/// ```swift
/// final class ZoneList {
///   private var token: ObservationToken?
///
///   func show(_ zones: Results<Zone>) {
///     token = zones.observe { change in
///       if case .update(_, let update) = change { print(update.insertions.count) }
///     }
///   }
/// }
/// ```
///
/// Any thread may invalidate or release a token. If that happens on the thread or the actor of the
/// store, the observer is not called again. On another thread, a call that has begun goes on.
///
/// A token does not keep the store open. Keep the store, or objects or results of it.
public final class ObservationToken: Sendable {
  let state: ObserverState

  init(_ state: ObserverState) { self.state = state }

  deinit { state.end() }

  /// Ends the observation.
  public func invalidate() { state.end() }

  /// Whether the observation has ended: by ``invalidate()``, with an error, or because the observed
  /// object was deleted.
  public var isInvalidated: Bool { state.isEnded }
}
