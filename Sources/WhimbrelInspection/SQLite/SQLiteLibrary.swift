internal import Foundation

/// The functions of the system's SQLite library.
///
/// The library is opened at run time, so apps that link this package, and builds of it, do not need
/// SQLite. Machines with Swift have it, because SwiftPM itself uses it.
@safe
struct SQLiteLibrary {
  typealias Handle = OpaquePointer
  typealias Open =
    @convention(c) (
      UnsafePointer<CChar>?, UnsafeMutablePointer<Handle?>?, Int32, UnsafePointer<CChar>?
    ) -> Int32
  typealias Prepare =
    @convention(c) (
      Handle?, UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<Handle?>?,
      UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) -> Int32
  typealias Use = @convention(c) (Handle?) -> Int32
  typealias BindInteger = @convention(c) (Handle?, Int32, Int64) -> Int32
  typealias BindDouble = @convention(c) (Handle?, Int32, Double) -> Int32
  typealias BindNull = @convention(c) (Handle?, Int32) -> Int32
  /// The parameter after the length is the destructor. −1 makes SQLite copy the bytes.
  typealias BindText =
    @convention(c) (
      Handle?, Int32, UnsafeRawPointer?, UInt64, Int, UInt8
    ) -> Int32
  typealias BindBlob = @convention(c) (Handle?, Int32, UnsafeRawPointer?, UInt64, Int) -> Int32
  typealias ColumnText = @convention(c) (Handle?, Int32) -> UnsafePointer<CChar>?
  typealias Message = @convention(c) (Handle?) -> UnsafePointer<CChar>?

  let open: Open
  let prepare: Prepare
  let (close, step, reset, finalize): (Use, Use, Use, Use)
  let bindInteger: BindInteger
  let bindDouble: BindDouble
  let bindNull: BindNull
  let bindText: BindText
  let bindBlob: BindBlob
  let columnText: ColumnText
  let message: Message

  private static var names: [String] {
    #if canImport(Darwin)
      ["/usr/lib/libsqlite3.dylib", "libsqlite3.dylib"]
    #else
      ["libsqlite3.so.0", "libsqlite3.so"]
    #endif
  }

  /// Opens the library, which stays open until the process ends. Returns nil if there is none.
  init?() {
    var opened: UnsafeMutableRawPointer?
    for name in Self.names where unsafe opened == nil {
      unsafe opened = dlopen(name, RTLD_NOW | RTLD_LOCAL)
    }
    guard let library = unsafe opened else { return nil }
    // Safe: each type matches the declaration of the function in `sqlite3.h`.
    func find<Function>(_ name: String, _: Function.Type) -> Function? {
      guard let symbol = unsafe dlsym(library, "sqlite3_\(name)") else { return nil }
      return unsafe unsafeBitCast(symbol, to: Function.self)
    }
    guard let open = unsafe find("open_v2", Open.self),
      let close = unsafe find("close_v2", Use.self),
      let prepare = unsafe find("prepare_v2", Prepare.self),
      let step = unsafe find("step", Use.self), let reset = unsafe find("reset", Use.self),
      let finalize = unsafe find("finalize", Use.self),
      let bindInteger = unsafe find("bind_int64", BindInteger.self),
      let bindDouble = unsafe find("bind_double", BindDouble.self),
      let bindNull = unsafe find("bind_null", BindNull.self),
      let bindText = unsafe find("bind_text64", BindText.self),
      let bindBlob = unsafe find("bind_blob64", BindBlob.self),
      let columnText = unsafe find("column_text", ColumnText.self),
      let message = unsafe find("errmsg", Message.self)
    else { return nil }
    unsafe (self.open, self.prepare, self.message) = (open, prepare, message)
    unsafe (self.close, self.step, self.reset, self.finalize) = (close, step, reset, finalize)
    unsafe (self.bindInteger, self.bindDouble, self.bindNull) = (bindInteger, bindDouble, bindNull)
    unsafe (self.bindText, self.bindBlob, self.columnText) = (bindText, bindBlob, columnText)
  }
}
