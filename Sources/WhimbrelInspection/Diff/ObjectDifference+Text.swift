internal import WhimbrelEngine

extension ObjectDifference {
  /// The difference as lines of text for people: the object, and its properties below it.
  public var text: String { text(saying: "") }

  /// - Parameter note: Text to add after the name of the object.
  func text(saying note: String) -> String {
    "\(kind.mark) \(PlainText.escaped(object.className)) \(object)\(note)\n"
      + properties.map { $0.text(of: kind) }.joined()
  }
}

extension ObjectDifference.Kind {
  /// The character in front of an object of this kind.
  var mark: String {
    switch self {
    case .added: "+"
    case .removed: "-"
    case .changed: "~"
    }
  }
}

extension PropertyDifference {
  private static let elementLimit = 10

  /// Returns the difference as lines of text with line ends.
  ///
  /// - Parameter kind: The kind of the object's difference. The values of an added object have no
  ///   `+`.
  func text(of kind: ObjectDifference.Kind) -> String {
    let head = "    \(PlainText.escaped(property)): "
    switch content {
    case .value(nil, let new): return "\(head)\(kind == .added ? "" : "+ ")\(new.text)\n"
    case .value(let old?, let new):
      let texts = ComparedValue.texts(old, new)
      return "\(head)\(texts.old) → \(texts.new)\n"
    case .elements(let elements):
      let shown = elements.prefix(Self.elementLimit).map { "      \($0.text)\n" }.joined()
      let more = elements.count - Self.elementLimit
      return "\(head)\(Self.sum(elements))\n" + shown + (more > 0 ? "      … \(more) more\n" : "")
    }
  }

  /// Returns the numbers of added, removed and changed elements: `+3 -1 ~2`.
  private static func sum(_ elements: [ElementDifference]) -> String {
    let kinds: [ObjectDifference.Kind] = [.added, .removed, .changed]
    return kinds.compactMap { kind in
      let count = elements.count { $0.kind == kind }
      return count == 0 ? nil : "\(kind.mark)\(count)"
    }.joined(separator: " ")
  }
}

extension ElementDifference {
  fileprivate var kind: ObjectDifference.Kind {
    old == nil ? .added : new == nil ? .removed : .changed
  }

  fileprivate var text: String {
    let place =
      switch place {
      case .index(let index): "[\(index)] "
      case .name(let name): "[\(ComparedValue.scalar(.string(name)).text)] "
      case .member: ""
      }
    switch (old, new) {
    case (let old?, let new?):
      let texts = ComparedValue.texts(old, new)
      return "~ \(place)\(texts.old) → \(texts.new)"
    case (let value?, nil), (nil, let value?): return "\(kind.mark) \(place)\(value.text)"
    case (nil, nil): return place
    }
  }
}
