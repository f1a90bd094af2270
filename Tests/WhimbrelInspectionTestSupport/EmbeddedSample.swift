package import WhimbrelEngine

/// Classes of people with embedded addresses, which contain former addresses.
package enum EmbeddedSample {
  package static let address = ClassSchema(
    name: "Address", isEmbedded: true,
    properties: [
      PropertySchema(name: "street", type: .string),
      PropertySchema(name: "former", type: .list(of: ElementType(.link(to: "Address")))),
    ])
  package static let person = ClassSchema(
    name: "Person",
    properties: [
      PropertySchema(name: "home", type: .link(to: "Address")),
      PropertySchema(name: "others", type: .map(of: ElementType(.link(to: "Address")))),
    ])
}
