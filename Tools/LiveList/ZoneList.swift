import Whimbrel
import Zones

/// The rows of the list. They follow what the observer is told, as those of a table view do.
struct ZoneList {
  /// The line that is shown for a zone. It outlives the zone, so that a deleted one can be named.
  struct Row {
    let id: ObjectID?
    let identifier: String
    let latitude: Double
    let comments: String

    init(_ zone: Zone) {
      id = zone.objectID
      identifier = zone.identifier
      latitude = zone.latitude
      comments = zone.comments
    }
  }

  private(set) var rows: [Row] = []

  /// Shows the zones anew.
  mutating func show(_ zones: Results<Zone>) { rows = zones.map(Row.init) }

  /// Applies a change to the rows, and returns a line for each zone that came, is gone or was
  /// modified.
  mutating func follow(_ zones: Results<Zone>, _ update: CollectionUpdate) -> [String] {
    let origins = Dictionary(update.moves.map { ($0.to, $0.from) }, uniquingKeysWith: { $1 })
    let moved = Set(origins.values)
    var lines: [String] = []
    for position in update.deletions where !moved.contains(position) {
      lines.append("- \(rows[position].identifier)")
    }
    for position in update.deletions.reversed() { rows.remove(at: position) }
    for position in update.insertions {
      let row = Row(zones[position])
      rows.insert(row, at: position)
      if let origin = origins[position] {
        let way = "row \(origin + 1) to \(position + 1)"
        lines.append("~ \(row.identifier) (\(changes(of: row, in: update))), \(way)")
      } else {
        lines.append("+ \(row.identifier)")
      }
    }
    for position in update.modifications {
      let row = Row(zones[position])
      rows[position] = row
      lines.append("~ \(row.identifier) (\(changes(of: row, in: update)))")
    }
    return lines
  }

  private func changes(of row: Row, in update: CollectionUpdate) -> String {
    guard let id = row.id else { return "" }
    return update.changedProperties(of: id).sorted().joined(separator: ", ")
  }
}
