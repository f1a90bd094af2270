import SwiftSyntax

// The compiler receives the text of an expansion and parses it. Parsing it here too, and formatting
// the tree, took most of the time that a model takes to build. Expansions are therefore
// well-formed, indented texts inside of nodes that only look like the right kind of node.

extension DeclSyntax {
  /// Makes a declaration from its text.
  init(text: String) {
    self.init(
      MissingDeclSyntax(attributes: [], modifiers: [], placeholder: .identifier(text)))
  }
}

extension AccessorDeclSyntax {
  /// Makes an accessor from its text, and indents it.
  init(text: String) { self.init(accessorSpecifier: .identifier(text.indented)) }
}

extension AttributeSyntax {
  /// Makes an attribute from the text after its `@`.
  init(text: String) {
    self.init(attributeName: IdentifierTypeSyntax(name: .identifier(text)))
  }
}

extension ExtensionDeclSyntax {
  /// Makes an extension without members from the text before its braces.
  init(header: String) {
    self.init(
      extensionKeyword: .identifier(""),
      extendedType: IdentifierTypeSyntax(name: .identifier("\(header) ")),
      memberBlock: MemberBlockSyntax(members: []))
  }
}

extension String {
  /// The text with each line indented by two more spaces.
  var indented: String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n")
  }
}
