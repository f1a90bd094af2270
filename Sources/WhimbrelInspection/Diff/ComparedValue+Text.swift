internal import WhimbrelEngine

extension ComparedValue {
  /// The limit of characters in ``text``.
  static let textLimit = 60

  /// The value as text for people, escaped, and cut if it is long. Strings are in quotes; numbers,
  /// dates and the like are not; links are the names of objects.
  public var text: String {
    let whole = longText(upTo: Self.textLimit + 1)
    guard whole.count > Self.textLimit else { return whole }
    return whole.prefix(Self.textLimit) + "…"
  }

  /// Returns the texts of two different values, cut so that they show the difference.
  static func texts(_ old: ComparedValue, _ new: ComparedValue) -> (old: String, new: String) {
    let texts = (old.longText(upTo: nil), new.longText(upTo: nil))
    if texts.0 == texts.1 {
      let ascii = (PlainText.ascii(texts.0), PlainText.ascii(texts.1))
      if ascii.0 != ascii.1 { return TextExcerpt.pair(ascii.0, ascii.1, limit: textLimit) }
      return (old.kindText + texts.0, new.kindText + texts.1)
    }
    if texts.0.count <= textLimit, texts.1.count <= textLimit { return texts }
    return TextExcerpt.pair(texts.0, texts.1, limit: textLimit)
  }

  /// The kind of the value, shown if the texts of two different values are equal.
  private var kindText: String {
    switch self {
    case .scalar(let value): "\(value.kind) "
    case .any(let value): value.kindText
    case .object(let object): "\(PlainText.escaped(object.className)) "
    case .embedded: "embedded "
    case .list: "list "
    case .set: "set "
    case .map: "map "
    }
  }

  /// Returns the text. It may stop anywhere beyond the limit.
  private func longText(upTo limit: Int?) -> String {
    var text = ""
    append(to: &text, limit ?? .max)
    return text
  }

  private func append(to text: inout String, _ limit: Int) {
    switch self {
    case .scalar(let value):
      var writer = JSONWriter()
      writer.append(value)
      let json = PlainText.escaped(String(decoding: writer.bytes, as: UTF8.self))
      switch value {
      case .string, .data: text += json
      default: text += json.hasPrefix("\"") ? String(json.dropFirst().dropLast()) : json
      }
    case .object(let object): text += object.description
    case .any(.object(let object)):
      text += "\(PlainText.escaped(object.className)) \(object)"
    case .any(let value): value.append(to: &text, limit)
    case .embedded(let members), .map(let members):
      text += "{"
      for (index, member) in members.enumerated() where text.utf8.count <= limit {
        text += (index == 0 ? "" : ", ") + "\(PlainText.escaped(member.name)): "
        member.value.append(to: &text, limit)
      }
      text += "}"
    case .list(let elements), .set(let elements):
      text += "["
      for (index, element) in elements.enumerated() where text.utf8.count <= limit {
        text += index == 0 ? "" : ", "
        element.append(to: &text, limit)
      }
      text += "]"
    }
  }
}

/// Excerpts of two long texts around their difference.
enum TextExcerpt {
  /// The number of equal characters to show on either side of the difference.
  private static let context = 12

  /// Cuts two texts.
  ///
  /// - Complexity: O(*n*).
  static func pair(_ old: String, _ new: String, limit: Int) -> (String, String) {
    let prefix = zip(old, new).prefix { $0 == $1 }.count
    let shorter = min(old.count, new.count)
    let suffix = min(
      zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count, shorter - prefix)
    return (
      cut(old, from: prefix, to: suffix, limit), cut(new, from: prefix, to: suffix, limit)
    )
  }

  /// Returns the part between the equal prefix and the equal suffix, with some context.
  private static func cut(_ text: String, from prefix: Int, to suffix: Int, _ limit: Int) -> String
  {
    let before = text.prefix(prefix)
    let rest = text.dropFirst(prefix)
    let middle = rest.prefix(rest.count - suffix)
    let after = rest.suffix(suffix)
    let head = before.count > context ? "…" + before.suffix(context) : String(before)
    let tail = after.count > context ? after.prefix(context) + "…" : String(after)
    guard middle.count > limit else { return head + middle + tail }
    return "\(head)\(middle.prefix(limit))… (\(middle.count) characters)"
  }
}
