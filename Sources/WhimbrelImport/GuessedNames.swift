internal import WhimbrelEngine
internal import WhimbrelInspection

/// Gives columns and members the names of properties: their own, or the next that a schema
/// takes.
struct GuessedNames {
  /// The properties by the names in the source.
  private(set) var properties: [String: String] = [:]
  private var unique = UniqueNames(separator: "_")

  /// The name of the property for a name; each has one of its own.
  mutating func property(for name: String) -> String {
    if let known = properties[name] { return known }
    let taken = unique.take(StoreSchema.allowsProperty(named: name) ? name : Self.cleaned(name))
    properties[name] = taken
    return taken
  }

  /// The names that are others now, sorted.
  var changed: [(name: String, property: String)] {
    properties.filter { $0.key != $0.value }.sorted { $0.key < $1.key }
      .map { (name: $0.key, property: $0.value) }
  }

  /// The name with `_` for what no name has, and not too long.
  private static func cleaned(_ name: String) -> String {
    var cleaned = ""
    for character in name.drop(while: { $0 == "_" || $0 == "$" }) {
      let part = character.isLetter || character.isNumber ? String(character) : "_"
      if cleaned.utf8.count + part.utf8.count > StoreSchema.propertyNameLimit - 8 { break }
      cleaned += part
    }
    return StoreSchema.allowsProperty(named: cleaned) ? cleaned : "column"
  }
}
