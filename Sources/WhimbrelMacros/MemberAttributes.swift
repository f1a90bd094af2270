import SwiftSyntax
import Synchronization

/// A cache of the attributes of the members of the latest class.
///
/// The compiler expands the attributes of each member separately, and passes the class each time.
/// Reading and checking the class for every member took a sixth of the time of the macros.
struct MemberAttributes {
  /// The class. It is kept so that no other tree gets its identity.
  private let declaration: Syntax
  private let attribute: Syntax
  /// The declarations around the class. Two classes with the same text have the same tree, even in
  /// different places.
  private let context: [String]
  private let texts: [String: [String]]

  private static let latest = Mutex<MemberAttributes?>(nil)

  /// Returns the texts of the attributes by property name. Calls `make` unless the class is the
  /// latest one.
  static func texts(
    of declaration: Syntax, _ attribute: AttributeSyntax, _ lexicalContext: [Syntax],
    make: () -> [String: [String]]
  ) -> [String: [String]] {
    let context = lexicalContext.map(\.description)
    let attribute = Syntax(attribute)
    let known = latest.withLock { $0 }
    if let known, known.declaration.id == declaration.id, known.attribute.id == attribute.id,
      known.context == context
    {
      return known.texts
    }
    let texts = make()
    latest.withLock {
      $0 = MemberAttributes(
        declaration: declaration, attribute: attribute, context: context, texts: texts)
    }
    return texts
  }
}
