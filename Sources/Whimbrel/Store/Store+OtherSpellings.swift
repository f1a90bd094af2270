public import Foundation

// For these spellings of Realm, the compiler's message gives the one in Whimbrel.

extension Store {
  /// Unavailable. Gives the name of the function in the compiler's message.
  @available(*, unavailable, renamed: "close()")
  public func invalidate() {}

  /// Unavailable. Gives the name of the function in the compiler's message.
  @available(*, unavailable, message: "Use 'try await store.asyncWrite { … }'.")
  public func writeAsync(_ body: () -> Void) {}

  /// Unavailable. Gives the name of the function in the compiler's message.
  @available(
    *, unavailable,
    message: "Call 'try store.refresh()', or observe the store on an actor, which refreshes it."
  )
  public var autorefresh: Bool {
    get { false }
    set {}
  }
}

extension Store.Configuration {
  /// Unavailable. Gives the name of the property in the compiler's message.
  @available(*, unavailable, renamed: "url")
  public var fileURL: URL {
    get { url }
    set {}
  }

  /// Unavailable. Gives the name of the property in the compiler's message.
  @available(*, unavailable, renamed: "isReadOnly")
  public var readOnly: Bool {
    get { isReadOnly }
    set {}
  }

  /// Unavailable. Gives the name of the property in the compiler's message.
  @available(*, unavailable, renamed: "models")
  public var objectTypes: [any Model.Type] {
    get { models }
    set {}
  }

  /// Unavailable. Gives the name of the property in the compiler's message.
  @available(*, unavailable, message: "Set 'whenMigrationFails' to '.startFresh(movingOldTo:)'.")
  public var deleteRealmIfMigrationNeeded: Bool {
    get { false }
    set {}
  }
}
