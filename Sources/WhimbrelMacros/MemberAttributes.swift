import SwiftSyntax
import Synchronization

/// The attributes of the members of one class, kept until another class is asked for.
///
/// The compiler asks for each member by itself, with the class each time. To read and to judge the
/// class as often took a sixth of the time of the macros.
struct MemberAttributes {
  /// The class. It is held, so that no other tree gets its identity.
  private let declaration: Syntax
  private let attribute: Syntax
  /// The declarations around the class. Two classes with the same text have the same tree, even in
  /// different places.
  private let context: [String]
  private let texts: [String: String]

  private static let latest = Mutex<MemberAttributes?>(nil)

  /// The texts of the attributes by names of properties, made where they are not those of the
  /// latest class.
  static func texts(
    of declaration: Syntax, _ attribute: AttributeSyntax, _ lexicalContext: [Syntax],
    make: () -> [String: String]
  ) -> [String: String] {
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
