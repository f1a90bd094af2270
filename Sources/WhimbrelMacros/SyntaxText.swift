import SwiftSyntax

// The compiler is handed the text of an expansion, and parses that itself. To parse it here too,
// and to format a tree of it, took most of the time that a model takes to build. So expansions
// are texts, well formed and well indented, in nodes that pass for what they are.

extension DeclSyntax {
  /// Makes a declaration of its text.
  init(text: String) {
    self.init(
      MissingDeclSyntax(attributes: [], modifiers: [], placeholder: .identifier(text)))
  }
}

extension AccessorDeclSyntax {
  /// Makes an accessor of its text, which it indents.
  init(text: String) { self.init(accessorSpecifier: .identifier(text.indented)) }
}

extension AttributeSyntax {
  /// Makes an attribute of the text behind its `@`.
  init(text: String) {
    self.init(attributeName: IdentifierTypeSyntax(name: .identifier(text)))
  }
}

extension ExtensionDeclSyntax {
  /// Makes an extension without members of the text before its braces.
  init(header: String) {
    self.init(
      extensionKeyword: .identifier(""),
      extendedType: IdentifierTypeSyntax(name: .identifier("\(header) ")),
      memberBlock: MemberBlockSyntax(members: []))
  }
}

extension String {
  /// The text with two more spaces before each line.
  var indented: String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n")
  }
}
