internal import WhimbrelEngine

/// A reference to an object that can cross to other threads, tasks and actors.
///
/// An object belongs to its store, and a store to one thread at a time. Send the handle of the
/// object instead, and resolve it in a store on the other side:
///
/// ```swift
/// if let handle = zone.objectHandle {
///   Task.detached {
///     let store = try Store(configuration)
///     guard let zone = store.resolve(handle) else { return }
///     try store.write { zone.comments = "checked" }
///   }
/// }
/// ```
///
/// A handle holds nothing open and pins nothing. It is valid until the process ends. To send values
/// instead of a reference, see ``Frozen``.
///
/// Two handles are equal if they refer to the same object.
public struct ObjectHandle<Element: Model>: Hashable, Sendable {
  let identity: ObjectIdentity

  init(_ identity: ObjectIdentity) {
    self.identity = identity
  }
}

extension Model {
  /// A reference to the object that can cross to other threads; nil if the object is unmanaged.
  public var objectHandle: ObjectHandle<Self>? {
    isManaged ? ObjectHandle(_$row.identity) : nil
  }
}

extension Store {
  /// Returns the object that a handle refers to, as this store shows it now.
  ///
  /// Returns nil if the object has been deleted, or is not there yet: this store may show an earlier
  /// commit than the store of the handle, until it is refreshed. Also returns nil if the handle comes
  /// from another file. A copy is another file.
  ///
  /// An object that was deleted, and added again with the same integer primary key, is the same
  /// object.
  ///
  /// ```swift
  /// let other = try Store(configuration)
  /// let sameZone = zone.objectHandle.flatMap { other.resolve($0) }
  /// ```
  ///
  /// - Complexity: O(log *n*).
  public func resolve<Element: Model>(_ handle: ObjectHandle<Element>) -> Element? {
    object(ofType: Element.self, for: handle.identity)
  }

  /// Returns the live object of a frozen one, as this store shows it now. Returns nil as
  /// ``resolve(_:)-(ObjectHandle<Element>)`` does.
  ///
  /// - Complexity: O(log *n*).
  public func resolve<Element: Model>(_ frozen: Frozen<Element>) -> Element? {
    resolve(frozen.objectHandle)
  }
}
