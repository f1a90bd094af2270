internal import WhimbrelInspection

extension PruningReport {
  /// The report as text for people, with a line break at its end.
  public var text: String {
    let head = ["class", "objects", "kept", "facets", "kept"]
    let rows = classes.map { entry in
      [
        PlainText.escaped(entry.name), "\(entry.objects)", "\(entry.keptObjects)",
        "\(entry.facets)", "\(entry.keptFacets)",
      ]
    }
    let table = TextTable([head] + rows, rightAligned: [1, 2, 3, 4]).description
    return table + "\n" + ([summary] + lossLines + notes).map { $0 + "\n" }.joined()
  }

  private var summary: String {
    let counts = "\(keptObjects) of \(objects) objects"
    guard let keptBytes else { return "Would keep \(counts)." }
    return "Kept \(counts); \(bytes) bytes became \(keptBytes)."
  }

  private var lossLines: [String] {
    if lost.isEmpty { return ["Every facet is kept."] }
    return ["Lost, as allowed:"] + lost.map { "  \(PlainText.escaped($0.description))" }
  }

  private var notes: [String] {
    var notes: [String] = []
    if perClass < wantedPerClass {
      notes.append(
        "The limit left room for \(perClass) of each class instead of \(wantedPerClass).")
    }
    let followed = keptObjects - picked
    if links == .follow, keptObjects * 2 > objects, followed * 2 > keptObjects {
      let most = strongestLink.map {
        ", \($0.objects) of them by '\(PlainText.escaped($0.property))'"
      }
      notes.append(
        "\(followed) objects were kept only because links lead to them\(most ?? ""): "
          + "'--links depth:1' keeps fewer.")
    }
    return notes
  }
}
