/// The models of a store by the names of their classes. A link to objects of any class finds its
/// model here.
final class ModelRegistry: Sendable {
  let types: [String: any Model.Type]

  init(_ models: [any Model.Type]) {
    types = Dictionary(
      models.map { ($0._$schema.name, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
