internal import WhimbrelInspection

extension SchemaCoverage {
  /// The coverage as text for people, with a line break at its end: for each class and property
  /// what is shown, with a check mark, and what is missing, with a dot; and what to add.
  public var text: String {
    let blocks = classNames.map { name in
      let facets = expected.filter { $0.className == name }
      let missing = facets.filter(isMissing)
      let head = "\(PlainText.escaped(name))  \(facets.count - missing.count) of \(facets.count)\n"
      return head + TextTable(rows(facets), indent: 2).description
    }
    return (blocks + [additions]).joined(separator: "\n")
  }

  private var classNames: [String] {
    expected.map(\.className).reduce(into: []) { names, name in
      if names.last != name { names.append(name) }
    }
  }

  private func isMissing(_ facet: Facet) -> Bool { missing.contains(facet) }

  /// A row for the class and for each property.
  private func rows(_ facets: [Facet]) -> [[String]] {
    var rows: [(property: String?, marks: [String])] = []
    for facet in facets {
      if rows.isEmpty || rows[rows.count - 1].property != facet.property {
        rows.append((facet.property, []))
      }
      let mark = isMissing(facet) ? "·" : "✓"
      rows[rows.count - 1].marks.append("\(mark) \(PlainText.escaped("\(facet.kind)"))")
    }
    return rows.map { row in
      [PlainText.escaped(row.property ?? "(class)"), row.marks.joined(separator: "  ")]
    }
  }

  private var additions: String {
    let percent = Int((fraction * 100).rounded(.down))
    let summary =
      "\(covered.count) of \(expected.count) facets of schema version \(schemaVersion) are covered: "
      + "\(percent) %.\n"
    if missing.isEmpty { return summary }
    return summary + "\nMissing:\n"
      + missing.map { "  \(PlainText.escaped($0.suggestion))\n" }.joined()
  }
}
