/// A key in the JSON of catalogs and schemas.
///
/// All coded types have keys of this type. When a process first uses a type as a key, the Swift
/// runtime searches the conformances of all libraries, in some 400,000 instructions. With a type of
/// keys for each coded type, these searches were a quarter of the first opening's instructions. For
/// the same reason, the dictionaries of an opening have keys of the types `String` and `Int` only.
struct SchemaKey: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init(stringLiteral value: String) { stringValue = value }
  init?(intValue: Int) { nil }
}
