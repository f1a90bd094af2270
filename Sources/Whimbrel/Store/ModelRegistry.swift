/// The models of a store by the names of their classes. A link to objects of any class finds its
/// model here.
final class ModelRegistry: Sendable {
  let types: [String: any Model.Type]
  private let listed: Set<ObjectIdentifier>

  init(_ models: [any Model.Type]) {
    types = Dictionary(
      models.map { ($0._$schema.name, $0) }, uniquingKeysWith: { first, _ in first })
    listed = Set(models.map(ObjectIdentifier.init))
  }

  /// Returns the listed model of a class of which a model is another one, or nil.
  func other(than model: any Model.Type) -> (any Model.Type)? {
    listed.contains(ObjectIdentifier(model)) ? nil : types[model._$schema.name]
  }
}
