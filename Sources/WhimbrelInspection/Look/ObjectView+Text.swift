internal import WhimbrelEngine

extension ObjectView {
  /// Returns the object as text for people, one line per property, with a line end.
  ///
  /// Strings are in quotes and have at most 1,000 characters.
  public func text(styling: TextStyling = .plain) -> String {
    var text = ObjectViewText(styling)
    text.write(self, indent: 0)
    text.writeIncoming(incoming)
    return text.lines
  }
}

/// A writer for the text of an object.
private struct ObjectViewText {
  private let styling: TextStyling
  private(set) var lines = ""

  init(_ styling: TextStyling) { self.styling = styling }

  /// Writes an object and its properties. The caller has written the start of the first line.
  mutating func write(_ view: ObjectView, indent: Int) {
    lines += "\(title(view))\n"
    let properties = (view.properties ?? []).map { (PlainText.escaped($0.name), $0.value) }
    let width = properties.map { DisplayWidth.of($0.0) }.max() ?? 0
    for (name, value) in properties {
      let padding = String(repeating: " ", count: width - DisplayWidth.of(name) + 2)
      lines += margin(indent + 2) + styling.apply(.key, to: name) + padding
      write(value, indent: indent + 4)
    }
  }

  /// Writes a value after its name, and its contents below.
  private mutating func write(_ value: ObjectView.Value, indent: Int) {
    switch value {
    case .object(let view): write(view, indent: indent - 2)
    case .collection(let collection) where collection.hasContents:
      lines += "\(count(collection))\n"
      for element in collection.elements {
        lines += margin(indent) + name(element)
        write(element.value, indent: indent + 2)
      }
      let rest = collection.count - collection.elements.count
      if rest > 0 {
        lines += margin(indent) + styling.apply(.note, to: "… and \(rest) more") + "\n"
      }
    default: lines += "\(text(value))\n"
    }
  }

  mutating func writeIncoming(_ incoming: [ObjectView.Incoming]) {
    if incoming.isEmpty { return }
    lines += styling.apply(.heading, to: "linked from") + "\n"
    let names = incoming.map { PlainText.escaped("\($0.className).\($0.property)") }
    let width = names.map(DisplayWidth.of).max() ?? 0
    for (name, source) in zip(names, incoming) {
      let padding = String(repeating: " ", count: width - DisplayWidth.of(name) + 2)
      let objects = StoreError.count(source.count, "object")
      let list = list(source.objects.map(title), of: source.count)
      lines += "  " + styling.apply(.key, to: name) + padding + "\(objects):\(list)\n"
    }
  }
}

// MARK: - Pieces of a line

extension ObjectViewText {
  private func margin(_ count: Int) -> String { String(repeating: " ", count: count) }

  /// Returns the class, the name and the object ID. The ID is left out if the name already tells
  /// it.
  private func title(_ view: ObjectView) -> String {
    let id = ClassTable.name(of: view.id)
    let isKey = Int64(view.name).map(ObjectID.init(clusteredKey:)) == view.id
    let name = PlainText.beginning(of: view.name, limit: ObjectView.longestText)
    let title = styling.apply(
      view.properties == nil ? .plain : .heading, to: "\(PlainText.escaped(view.className)) \(name)"
    )
    return title
      + (isKey || !view.id.isGivenOut || view.name == id ? "" : " " + styling.apply(.note, to: id))
      + (view.version.map { " " + styling.apply(.note, to: "(version \($0))") } ?? "")
      + (view.isElsewhere ? " " + styling.apply(.note, to: "(shown elsewhere)") : "")
  }

  private func count(_ collection: ObjectView.Collection) -> String {
    collection.kind == .set ? "{\(collection.count)}" : "[\(collection.count)]"
  }

  private func name(_ element: ObjectView.Element) -> String {
    element.name.map {
      styling.apply(.key, to: PlainText.beginning(of: $0, limit: ObjectView.longestText)) + ": "
    } ?? ""
  }

  /// Returns a value in one line.
  private func text(_ value: ObjectView.Value) -> String {
    switch value {
    case .value(let value):
      styling.apply(
        value.isNull ? .null : .plain,
        to: ValueText.scalar(value, .quoted, limit: ObjectView.longestText))
    case .object(let view): title(view)
    case .collection(let collection):
      count(collection)
        + list(collection.elements.map { name($0) + text($0.value) }, of: collection.count)
    }
  }

  private func list(_ items: [String], of count: Int) -> String {
    if count == 0 { return "" }
    let rest = count - items.count
    let more = rest > 0 ? [styling.apply(.note, to: "… and \(rest) more")] : []
    return " " + (items + more).joined(separator: ", ")
  }
}

extension ObjectView {
  /// The limit of characters of a string.
  fileprivate static let longestText = 1_000
}

extension ObjectView.Collection {
  /// Whether an element is an object with properties.
  fileprivate var hasContents: Bool {
    elements.contains { element in
      if case .object(let view) = element.value { view.properties != nil } else { false }
    }
  }
}
