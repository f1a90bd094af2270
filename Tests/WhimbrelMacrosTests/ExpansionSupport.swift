import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import WhimbrelMacros

/// The macros under the names by which tests use them.
private let macroSpecs: [String: MacroSpec] = [
  "Model": MacroSpec(type: ModelMacro.self, conformances: [TypeSyntax("Whimbrel.Model")]),
  "Whimbrel._Persisted": MacroSpec(type: PersistedMacro.self),
  "Whimbrel._Unstored": MacroSpec(type: UnstoredMacro.self),
  "_Persisted": MacroSpec(type: PersistedMacro.self),
  "PrimaryKey": MacroSpec(type: PrimaryKeyMacro.self),
  "Indexed": MacroSpec(type: IndexedMacro.self),
  "Index": MacroSpec(type: IndexMacro.self),
  "Whimbrel.Index": MacroSpec(type: IndexMacro.self),
  "Transient": MacroSpec(type: TransientMacro.self),
  "StoredName": MacroSpec(type: StoredNameMacro.self),
  "Renamed": MacroSpec(type: RenamedMacro.self),
  "Inverse": MacroSpec(type: InverseMacro.self),
  "Whimbrel._Inverse": MacroSpec(type: InverseGetterMacro.self),
  "_Inverse": MacroSpec(type: InverseGetterMacro.self),
]

/// What came of the expansion of all macros in a source.
struct Expansion {
  let source: String
  /// What the macros had to say.
  let messages: [String]
  /// Whether the compiler finds the place of every message; it does not for
  /// nodes that a macro has copied.
  let areMessagesLocated: Bool
}

/// Expands all macros in a source.
func expand(_ source: String) -> Expansion {
  let file = Parser.parse(source: source)
  let context = BasicMacroExpansionContext(
    sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "test.swift")])
  let expanded = file.expand(
    macroSpecs: macroSpecs,
    contextGenerator: { node in
      BasicMacroExpansionContext(
        sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
    },
    indentationWidth: .spaces(2))
  return Expansion(
    source: expanded.description,
    messages: context.diagnostics.map(\.message),
    areMessagesLocated: context.diagnostics.allSatisfy {
      context.location(of: $0.node, at: .afterLeadingTrivia, filePathMode: .fileID) != nil
    })
}

/// Checks an expansion to the letter.
func expectExpansion(
  _ source: String, to expanded: String, diagnostics: [DiagnosticSpec] = [],
  fixedSource: String? = nil, sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
  assertMacroExpansion(
    source, expandedSource: expanded, diagnostics: diagnostics, macroSpecs: macroSpecs,
    fixedSource: fixedSource, indentationWidth: .spaces(2),
    failureHandler: { failure in
      Issue.record(Comment(rawValue: failure.message), sourceLocation: sourceLocation)
    })
}

/// A piece of source, and the one message that the macros must have about it.
struct DiagnosticCase: CustomTestStringConvertible, Sendable {
  /// The source; `§` stands before the place that the message points to.
  let source: String
  let message: String
  let isWarning: Bool
  /// The message of the fix-it and the source after it, or nil when there is
  /// none.
  let fix: (message: String, source: String)?

  init(
    _ source: String, _ message: String, isWarning: Bool = false,
    fix: (message: String, source: String)? = nil
  ) {
    self.source = source
    self.message = message
    self.isWarning = isWarning
    self.fix = fix
  }

  /// A case about a property of the class `Zone`.
  static func property(
    _ declaration: String, _ message: String, isWarning: Bool = false,
    fix: (message: String, source: String)? = nil
  ) -> DiagnosticCase {
    DiagnosticCase(
      zone(declaration), message, isWarning: isWarning,
      fix: fix.map { ($0.message, zone($0.source)) })
  }

  var testDescription: String { source }

  private static func zone(_ declaration: String) -> String {
    "@Model\nfinal class Zone {\n  \(declaration)\n}\n"
  }
}

/// Checks that a case gives its message at its place, that the fix-it does what
/// it says, and that a model with an error is not expanded.
func expectDiagnostic(
  _ diagnosticCase: DiagnosticCase, sourceLocation: Testing.SourceLocation = #_sourceLocation
) throws {
  let marked = diagnosticCase.source
  let mark = try #require(marked.firstIndex(of: "§"), sourceLocation: sourceLocation)
  let before = marked[..<mark]
  let line = before.count { $0 == "\n" } + 1
  let lineStart = before.lastIndex(of: "\n").map { before.index(after: $0) } ?? before.startIndex
  let column = before[lineStart...].utf8.count + 1
  let source = marked.filter { $0 != "§" }
  let expanded = expand(source)
  #expect(
    expanded.source.contains("_$unmanaged") == diagnosticCase.isWarning,
    sourceLocation: sourceLocation)
  #expect(expanded.areMessagesLocated, sourceLocation: sourceLocation)
  expectExpansion(
    source, to: expanded.source,
    diagnostics: [
      DiagnosticSpec(
        message: diagnosticCase.message, line: line, column: column,
        severity: diagnosticCase.isWarning ? .warning : .error,
        fixIts: diagnosticCase.fix.map { [FixItSpec(message: $0.message)] } ?? [])
    ],
    fixedSource: diagnosticCase.fix?.source, sourceLocation: sourceLocation)
}
