internal import WhimbrelEngine
internal import WhimbrelInspection

/// Unique property names for columns and members. A name that a schema does not allow is changed.
struct GuessedNames {
  /// The property names by the names in the source.
  private(set) var properties: [String: String] = [:]
  private var unique = UniqueNames(separator: "_")

  /// Returns the property name for a name in the source. Different names get different property
  /// names.
  mutating func property(for name: String) -> String {
    if let known = properties[name] { return known }
    let taken = unique.take(StoreSchema.allowsProperty(named: name) ? name : Self.cleaned(name))
    properties[name] = taken
    return taken
  }

  /// The names that were changed, sorted.
  var changed: [(name: String, property: String)] {
    properties.filter { $0.key != $0.value }.sorted { $0.key < $1.key }
      .map { (name: $0.key, property: $0.value) }
  }

  /// Returns the name with `_` for characters that are not allowed, shortened to leave room for a
  /// suffix.
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
