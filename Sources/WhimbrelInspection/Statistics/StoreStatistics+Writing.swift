internal import Foundation
internal import WhimbrelEngine

extension StoreStatistics {
  /// Returns the statistics as a table for people, with a line end. `~` marks an estimated number
  /// of distinct values.
  public func text(_ format: TableFormat = TableFormat()) throws -> String {
    var text =
      format.styling.apply(.heading, to: PlainText.escaped(className))
      + (isComplete ? ": " : ": the first ") + StoreError.count(objects, "object") + "\n"
    if properties.isEmpty || objects == 0 { return text }
    var table = FittedTable(
      ["property", "type", "nil", "distinct", "range", "most frequent, or distribution"],
      numbers: [2, 3], format, dropsColumns: false
    ) { text += $0 }
    for property in properties { try table.append(property.cells) }
    try table.finish()
    return text
  }

  /// Returns the statistics as lines of JSON, one per property.
  ///
  /// ```json
  /// {"class":"Zone","property":"latitude","type":"double","objects":312,"nil":0,"values":312,
  ///  "distinct":301,"distinctIsExact":true,"minimum":-77.8,"maximum":76.7,"mean":20.1,
  ///  "histogram":[{"from":-77.8,"to":-62.4,"count":9}],"top":[{"value":42.5,"count":2}]}
  /// ```
  ///
  /// Bounds, mean and histogram are missing if the property has none. `lengths` has the least and
  /// the greatest length of strings or data, and `sizes` the least and the greatest number of
  /// elements. A value in `top` is written as in a dump; a link is the class and the key of its
  /// target. `"isComplete":false` says that only the first objects were looked at.
  public func jsonLines() -> [UInt8] {
    var writer = JSONWriter()
    for property in properties {
      writer.append(property, isComplete: isComplete)
      writer.append(raw: "\n")
    }
    return writer.bytes
  }

  /// Returns the statistics as one JSON object.
  ///
  /// ```json
  /// {"class":"Zone","objects":312,"isComplete":true,"properties":[…]}
  /// ```
  ///
  /// The properties are the lines of ``jsonLines()``.
  package func json() -> [UInt8] {
    var writer = JSONWriter()
    writer.append(raw: #"{"class":"#)
    writer.append(className)
    writer.append("objects", objects)
    writer.append("isComplete", .bool(isComplete))
    writer.append(raw: #","properties":"#)
    writer.append(properties, "[", "]}") { writer, property in
      writer.append(property, isComplete: isComplete)
    }
    return writer.bytes
  }
}

extension PropertyStatistics {
  fileprivate var cells: [TextCell] {
    let spread = histogram.count > 1 ? [Histogram.bars(histogram.map(\.count))] : []
    // Single values of a spread of numbers are not interesting.
    let isSpread = histogram.count > 1 && distinct > Self.topCount
    let frequent = (isSpread ? [] : top).map { entry in
      let text = entry.text.isEmpty ? "\"\"" : PlainText.beginning(of: entry.text, limit: 30)
      return "\(text) (\(entry.count))"
    }
    return [
      TextCell(text: PlainText.escaped(name), style: .key), TextCell(text: PlainText.escaped(type)),
      TextCell(text: String(nils), style: nils == 0 ? .note : .plain),
      TextCell(text: (isDistinctExact ? "" : "~") + String(distinct)),
      TextCell(text: range),
      TextCell(
        text: (spread + (frequent.isEmpty ? [] : [frequent.joined(separator: ", ")])).joined(
          separator: "  ")),
    ]
  }

  private var range: String {
    func words(_ range: ClosedRange<Int>, _ noun: String) -> String {
      let ends =
        range.lowerBound == range.upperBound
        ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
      return "\(ends) \(noun)\(ends == "1" ? "" : "s")"
    }
    var parts: [String] = []
    if let sizes { parts.append(words(sizes, "element")) }
    if let minimum, let maximum {
      let (least, greatest) = (minimum.shortText, maximum.shortText)
      parts.append(minimum == maximum ? least : "\(least) to \(greatest)")
    }
    if let lengths { parts.append(words(lengths, type.hasPrefix("data") ? "byte" : "character")) }
    return parts.joined(separator: ", ")
  }
}

extension PropertyValue {
  /// The value for a table. Fractions have six digits.
  fileprivate var shortText: String {
    switch self {
    case .float(let number): String(format: "%g", Double(number))
    case .double(let number): String(format: "%g", number)
    default: text
    }
  }
}

extension JSONWriter {
  fileprivate mutating func append(_ property: PropertyStatistics, isComplete: Bool) {
    append(raw: #"{"class":"#)
    append(property.className)
    append("property", property.name)
    append("type", property.type)
    append("objects", property.objects)
    if !isComplete { append(raw: #","isComplete":false"#) }
    append("nil", property.nils)
    append("values", property.values)
    append("distinct", property.distinct)
    append("distinctIsExact", .bool(property.isDistinctExact))
    append("minimum", property.minimum)
    append("maximum", property.maximum)
    append("mean", property.mean)
    append("lengths", property.lengths)
    append("sizes", property.sizes)
    if !property.histogram.isEmpty { append(property.histogram) }
    append(property.top)
    append(raw: "}")
  }

  private mutating func append(_ name: String, _ range: ClosedRange<Int>?) {
    let value = range.map { range in
      PropertyValue.list([.int(Int64(range.lowerBound)), .int(Int64(range.upperBound))])
    }
    append(name, value)
  }

  private mutating func append(_ bars: [PropertyStatistics.Bar]) {
    append(name: "histogram")
    append(bars, "[", "]") { writer, bar in
      writer.append(raw: #"{"from":"#)
      writer.append(bar.from)
      writer.append("to", bar.to)
      writer.append("count", bar.count)
      writer.append(raw: "}")
    }
  }

  private mutating func append(_ top: [PropertyStatistics.Frequency]) {
    append(name: "top")
    append(top, "[", "]") { writer, entry in
      writer.append(raw: #"{"value":"#)
      switch entry.value {
      case .link, .object, .list, .map: writer.append(entry.text)
      default: writer.append(entry.value)
      }
      writer.append("count", entry.count)
      writer.append(raw: "}")
    }
  }
}
