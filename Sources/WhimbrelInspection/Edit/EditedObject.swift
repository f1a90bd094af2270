internal import WhimbrelEngine

/// An object that an edit adds, changes or removes, with the effects on other objects.
public struct EditedObject: Hashable, Sendable {
  /// The change to the object.
  public let difference: ObjectDifference
  /// The effects of a removal on other objects.
  public let effects: [Effect]
  /// The embedded objects that the edit has added and that ``effects`` unlink. They are not
  /// reported, and get other IDs each time.
  package let addedParts: Set<NamedObject>

  /// A change to another object.
  public enum Effect: Hashable, Sendable {
    /// The embedded object is removed with its owner.
    case removesPart(NamedObject)
    /// The object links to the removed object: a single link becomes nil, and a collection loses
    /// the element.
    case unlinks(NamedObject, property: String)
    /// The edited object is damaged, and the value of this property could not be read. The property
    /// is now nil or has its default.
    case discards(property: String)
  }

  init(
    _ difference: ObjectDifference, _ effects: [Effect] = [], addedParts: Set<NamedObject> = []
  ) {
    self.difference = difference
    self.effects = effects
    self.addedParts = addedParts
  }
}

extension EditedObject {
  /// The number of effects that ``text`` shows.
  private static let effectLimit = 10

  /// The object as lines of text for people, with a line end.
  public var text: String {
    let shown = effects.prefix(Self.effectLimit).map { "    \($0.text)\n" }.joined()
    let more = effects.count - Self.effectLimit
    let isKeyed = difference.kind == .added && difference.object.key != nil
    let note =
      isKeyed && difference.object.id.isGivenOut ? ", object ID \(difference.object.id)" : ""
    return difference.text(saying: note) + shown + (more > 0 ? "    … \(more) more\n" : "")
  }

  /// The object as a line of JSON without the line end.
  ///
  /// The format is that of ``StoreDiffReport``, with `effects` if there are any:
  /// `{"removes":{"class":"Address","id":5}}` and
  /// `{"unlinks":{"class":"Zone","key":"Europe/Paris"},"property":"country"}`, and
  /// `{"discards":"country"}` for a damaged value. An added object has its `id` beside its `key`.
  public var json: [UInt8] {
    var writer = JSONWriter()
    writer.append(raw: difference.json.dropLast())
    if difference.kind == .added, difference.object.key != nil {
      writer.append("id", exact: difference.object.id.rawValue)
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
    case .discards(let property):
      "discards '\(PlainText.escaped(property))', which cannot be read"
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
    case .discards(let property):
      append(raw: #"{"discards":"#)
      append(property)
      append(raw: "}")
    }
  }
}
