/// A key in the JSON of catalogs and schemas.
///
/// All coded types have keys of this type. When a process first uses a type as a key, the Swift
/// runtime searches the conformances of all libraries, for a tenth of a millisecond. With a type of
/// keys for each coded type, that was a quarter of the time of the first opening.
struct SchemaKey: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init(stringLiteral value: String) { stringValue = value }
  init?(intValue: Int) { nil }
}
