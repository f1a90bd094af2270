extension QueryText {
  /// Looks up the properties and classes that the query names, starting at the objects of a class.
  ///
  /// Types are not checked here but when the query is prepared.
  package func checkNames(
    of className: String, in schema: StoreSchema
  ) throws(QueryTextError) {
    /// The class of the objects at the end of each path.
    var ends: [String?] = []
    do throws(QueryProblem) {
      for path in paths {
        let origin = path.origin.map { ends[$0] } ?? className
        ends.append(try end(of: path, from: origin, in: schema))
      }
      try checkComparedTexts(of: className, in: schema)
    } catch {
      throw QueryTextError(error, in: text)
    }
  }

  /// Throws if a property name is in quotes, which make it a text.
  private func checkComparedTexts(
    of className: String, in schema: StoreSchema
  ) throws(QueryProblem) {
    let names = schema[className]?.properties.map(\.name) ?? []
    guard let found = comparedTexts.first(where: { names.contains($0.text) }) else { return }
    throw QueryProblem(
      found.place, "text is compared with a constant instead of a property",
      "Write the name of a property in backquotes: "
        + "\(QueryPrinter.quoted(found.text, "`")).",
      names: .init(className: className))
  }

  /// Returns the class of the objects that a path leads to, or nil if it leads to other values.
  private func end(
    of path: QueryPathPlaces, from origin: String?, in schema: StoreSchema
  ) throws(QueryProblem) -> String? {
    var current = origin
    var type: PropertyType?
    for step in path.steps {
      switch step.step {
      case .property(let name):
        guard let className = current else { throw leadsNoFurther(step, type) }
        let property = try property(name, of: className, step.place, step.place, in: schema)
        type = property.type
        current = property.type.linkedClass
      case .inverse(let className, let name):
        guard current != nil else { throw leadsNoFurther(step, type) }
        let place = step.propertyPlace ?? step.place
        _ = try property(name, of: className, step.place, place, in: schema)
        current = className
      case .name: break
      case .names: current = nil
      }
    }
    return current
  }

  private func property(
    _ name: String, of className: String, _ classPlace: Int, _ place: Int, in schema: StoreSchema
  ) throws(QueryProblem) -> PropertySchema {
    guard let known = schema[className] else {
      throw QueryProblem(
        classPlace, "there is no class \(Sentence.quoted(className))",
        Sentence.suggestion(
          for: className, among: schema.classes.map(\.name), called: "classes"),
        names: .init(className: className))
    }
    guard let property = known[name] else {
      throw QueryProblem(
        place, "\(Sentence.quoted(className)) has no property \(Sentence.quoted(name))",
        Sentence.suggestion(
          for: name, among: known.properties.map(\.name), called: "properties")
          + hint(at: className, insteadOf: name, in: schema),
        names: .init(className: className, property: name))
    }
    return property
  }

  /// Returns how to name the objects that link to those of a class, for a name that is not like that
  /// of a property. Models name them, and files do not.
  private func hint(
    at className: String, insteadOf name: String, in schema: StoreSchema
  ) -> String {
    guard let known = schema[className],
      Spelling.closest(to: name, among: known.properties.map(\.name)) == nil
    else { return "" }
    let inverses = schema.classes.flatMap { source in
      source.properties.filter { $0.type.linkedClass == className }
        .map { (class: source.name, property: $0.name) }
    }
    let likely = Spelling.closest(to: name, among: inverses.map(\.class))
    guard let found = inverses.first(where: { $0.class == likely }) ?? inverses.first else {
      return ""
    }
    let path = QueryPath([.inverse(class: found.class, property: found.property)])
    return " The objects that link to it are \(Sentence.quoted(path.text))."
  }

  private func leadsNoFurther(
    _ step: QueryPathPlaces.Step, _ type: PropertyType?
  ) -> QueryProblem {
    let found = type.map { " of the type \(Sentence.quoted($0.description))" } ?? ""
    return QueryProblem(
      step.place, "a path cannot continue from values\(found)",
      "A path can continue only from links to objects and from collections of them.")
  }
}
