internal import Foundation
package import WhimbrelInspection

/// Returns the report on the differences between two stores.
package func diffText(
  _ old: String, _ new: String, _ options: StoreDiff.Options = StoreDiff.Options(),
  style: StoreDiffReport.Style = .text, limit: Int = .max
) throws -> String {
  let diff = try StoreDiff(
    from: StoreInspector(path: old), to: StoreInspector(path: new), options)
  var text = ""
  let isDifferent = try StoreDiffReport(diff, style: style, limit: limit).write { text += $0 }
  // JSON counts the objects of every class, so it is never empty.
  return isDifferent == text.isEmpty && style == .text ? "the answer is wrong" : text
}

/// Copies a store that is not open.
package func copyStore(_ old: String, _ new: String) throws {
  try FileManager.default.copyItem(atPath: old, toPath: new)
}
