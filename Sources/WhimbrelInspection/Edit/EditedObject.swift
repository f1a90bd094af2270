internal import WhimbrelEngine

/// An object that an edit adds, changes or removes, and what else that does.
public struct EditedObject: Hashable, Sendable {
  /// What becomes of the object.
  public let difference: ObjectDifference
  /// What becomes of other objects when it is removed.
  public let effects: [Effect]

  /// What becomes of another object.
  public enum Effect: Hashable, Sendable {
    /// It is embedded, and goes too.
    case removesPart(NamedObject)
    /// It links to the object: a link becomes nil, and a collection loses it.
    case unlinks(NamedObject, property: String)
  }

  init(_ difference: ObjectDifference, _ effects: [Effect] = []) {
    self.difference = difference
    self.effects = effects
  }
}

extension EditedObject {
  /// How many effects are shown as text.
  private static let effectLimit = 10

  /// The object as lines of text for people, each with a line break at its end.
  public var text: String {
    let shown = effects.prefix(Self.effectLimit).map { "    \($0.text)\n" }.joined()
    let more = effects.count - Self.effectLimit
    let isKeyed = difference.kind == .added && difference.object.key != nil
    let note =
      isKeyed && difference.object.id.isGivenOut ? ", object ID \(difference.object.id)" : ""
    return difference.text(saying: note) + shown + (more > 0 ? "    … \(more) more\n" : "")
  }

  /// The object as a line of JSON without its end: as in ``StoreDiffReport``, and with `effects`,
  /// if there are any: `{"removes":{"class":"Address","id":5}}`, and
  /// `{"unlinks":{"class":"Zone","key":"Europe/Paris"},"property":"country"}`. An object that is
  /// added has its `id` beside its `key`.
  public var json: [UInt8] {
    var writer = JSONWriter()
    writer.append(raw: difference.json.dropLast())
    if difference.kind == .added, difference.object.key != nil {
      writer.append(raw: #","id":"#)
      writer.append(exact: difference.object.id.rawValue)
    }
    if !effects.isEmpty {
      writer.append(name: "effects")
      writer.append(effects, "[", "]") { writer, effect in writer.append(effect) }
    }
    writer.append(raw: "}")
    return writer.bytes
  }
}

extension EditedObject.Effect {
  fileprivate var text: String {
    switch self {
    case .removesPart(let object):
      "removes \(PlainText.escaped(object.className)) \(object), which is embedded in it"
    case .unlinks(let object, let property):
      "unlinks '\(PlainText.escaped(property))' of \(PlainText.escaped(object.className)) \(object)"
    }
  }
}

extension JSONWriter {
  fileprivate mutating func append(_ effect: EditedObject.Effect) {
    switch effect {
    case .removesPart(let object):
      append(raw: #"{"removes":{"#)
      append(object)
      append(raw: "}}")
    case .unlinks(let object, let property):
      append(raw: #"{"unlinks":{"#)
      append(object)
      append(raw: #"},"property":"#)
      append(property)
      append(raw: "}")
    }
  }
}
