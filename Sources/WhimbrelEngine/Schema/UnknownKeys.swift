// The keys of a schema in JSON. A person may have written it, and misspelt one: without its
// 'primaryKey', a class would lose the key.

extension CodingUserInfoKey {
  /// The key of a Boolean option: if true, an unknown key in a schema is an error.
  package static let refusesUnknownKeys = named("whimbrel.refusesUnknownKeys")
}

extension Decoder {
  /// Throws `DecodingError` if unknown keys are an error and the object has one.
  package func requireKnown(_ known: [String]) throws {
    guard userInfo[.refusesUnknownKeys] as? Bool == true else { return }
    let given = try container(keyedBy: SchemaKey.self).allKeys.map(\.stringValue)
    guard let unknown = given.filter({ !known.contains($0) }).min() else { return }
    let hint =
      Spelling.closest(to: unknown, among: known).map { "perhaps \(Sentence.quoted($0)) is meant" }
      ?? "known are \(Sentence.names(known))"
    throw DecodingError.dataCorrupted(
      .init(
        codingPath: codingPath,
        debugDescription: "the key \(Sentence.quoted(unknown)) is unknown (\(hint))",
        underlyingError: UnknownKey()))
  }
}

/// The error that tells an unknown key from JSON that Foundation cannot read.
package struct UnknownKey: Error {}
