/// How a query is answered.
public struct QueryExplanation: Hashable, Sendable, CustomStringConvertible {
  private let text: String
  package init(text: String) { self.text = text }
  /// The explanation for people, in lines.
  public var description: String { text }
}
