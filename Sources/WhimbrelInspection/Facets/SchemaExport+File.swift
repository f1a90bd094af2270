internal import Foundation

extension SchemaExport {
  /// Reads a file that ``json()`` was written to.
  ///
  /// - Throws: ``InspectionError`` with `badArgument` when there is none, or it is no schema.
  package init(contentsOf path: String) throws {
    let advice = "Give a file that 'whimbrel schema --json' wrote."
    guard let json = FileManager.default.contents(atPath: path) else {
      throw InspectionError.badArgument(path, "there is no such file to read", advice)
    }
    do {
      try self.init(json: json)
    } catch {
      throw InspectionError.badArgument(path, "it is not the export of a schema", advice)
    }
  }
}
