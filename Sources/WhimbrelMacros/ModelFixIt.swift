import SwiftDiagnostics
import SwiftSyntax

/// A change that the macros offer.
enum ModelFixIt: Equatable {
  case useFinalClass
  case addFinal
  case useFilePrivate
  case removeSuperclass(String)
  case removeSendable
  case useVar
  case addType(String)
  case useType(String)
  case markTransient
  case removeMarker(PropertyMarker)
  case splitDeclaration
  case removeInitialValue
  case useKeyPath(String)
  case removeIndex
  case removeActor(String)
  case removeObservable
  case removeObservationIgnored
  case removeWrapper(String)
  case useMarker(String)
}

extension ModelFixIt: FixItMessage {
  var message: String {
    switch self {
    case .useFinalClass: "Make it a final class"
    case .addFinal: "Add 'final'"
    case .useFilePrivate: "Replace 'private' with 'fileprivate'"
    case .removeSuperclass(let name): "Remove '\(name)'"
    case .removeSendable: "Remove 'Sendable'"
    case .useVar: "Replace 'let' with 'var'"
    case .addType(let type): "Add ': \(type)'"
    case .useType(let type): "Change the type to '\(type)'"
    case .markTransient: "Add '@Transient'"
    case .removeMarker(let marker): "Remove '@\(marker.rawValue)'"
    case .splitDeclaration: "Declare each property separately"
    case .removeInitialValue: "Remove the initial value"
    case .useKeyPath(let keyPath): "Change the key path to '\(keyPath)'"
    case .removeIndex: "Remove '@Index'"
    case .removeActor(let name): "Remove '@\(name)'"
    case .removeObservable: "Remove '@Observable'"
    case .removeObservationIgnored: "Remove '@ObservationIgnored'"
    case .removeWrapper(let name): "Remove '@\(name)'"
    case .useMarker(let marker): "Replace it with '\(marker)'"
    }
  }

  var fixItID: MessageID {
    let name = String(describing: self).prefix { $0 != "(" }
    return MessageID(domain: "WhimbrelMacros", id: "fix-\(name)")
  }
}

extension FixIt {
  /// Creates a fix-it that replaces a range of a node.
  init(
    _ message: ModelFixIt, _ range: Range<AbsolutePosition>, in node: some SyntaxProtocol,
    with text: String
  ) {
    self.init(
      message: message, changes: [.replaceText(range: range, with: text, in: Syntax(node))])
  }

  /// Returns a fix-it that replaces the text of a node, and keeps the trivia
  /// around it.
  static func text(
    _ message: ModelFixIt, replacing node: some SyntaxProtocol, with text: String
  ) -> FixIt {
    let range = node.positionAfterSkippingLeadingTrivia..<node.endPositionBeforeTrailingTrivia
    return FixIt(message, range, in: node, with: text)
  }

  /// Returns a fix-it that inserts text before a node, after its leading
  /// trivia.
  static func text(
    _ message: ModelFixIt, inserting text: String, before node: some SyntaxProtocol
  ) -> FixIt {
    let start = node.positionAfterSkippingLeadingTrivia
    return FixIt(message, start..<start, in: node, with: text)
  }

  /// Returns a fix-it that inserts text after a node, before its trailing
  /// trivia.
  static func text(
    _ message: ModelFixIt, inserting text: String, after node: some SyntaxProtocol
  ) -> FixIt {
    let end = node.endPositionBeforeTrailingTrivia
    return FixIt(message, end..<end, in: node, with: text)
  }

  static func useType(_ name: String, for type: some SyntaxProtocol) -> FixIt {
    .text(.useType(name), replacing: type, with: name)
  }

  /// Returns a fix-it that removes a marker and the spaces after it.
  static func removing(_ marker: PropertyMarker, _ attribute: AttributeSyntax) -> FixIt {
    removing(.removeMarker(marker), attribute)
  }

  /// Returns a fix-it that removes an attribute and the spaces after it.
  static func removing(_ message: ModelFixIt, _ attribute: AttributeSyntax) -> FixIt {
    var end = attribute.endPosition
    // If the attribute has its own line, removes the whole line, unless that
    // contains a comment.
    if let next = attribute.nextToken(viewMode: .sourceAccurate),
      next.leadingTrivia.allSatisfy(\.isWhitespace)
    {
      end = next.positionAfterSkippingLeadingTrivia
    }
    return FixIt(
      message, attribute.positionAfterSkippingLeadingTrivia..<end, in: attribute, with: "")
  }
}
