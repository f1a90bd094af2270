internal import Foundation
internal import WhimbrelEngine

extension SchemaExport {
  /// Reads a file that `whimbrel schema --json` wrote.
  ///
  /// - Throws: ``InspectionError`` with `cannotRead` or `badImport`.
  public init(contentsOf path: String) throws {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw InspectionError.cannotRead(path, number: ENOENT)
    }
    do {
      try self.init(json: data)
    } catch let error as DecodingError {
      throw InspectionError.badSchema(path, DumpHeader.reason(of: error))
    }
  }
}
