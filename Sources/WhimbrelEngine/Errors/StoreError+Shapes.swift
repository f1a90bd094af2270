// The errors of typed old objects in migrations.

extension StoreError {
  /// Returns the error for a frozen declaration that does not match the file.
  package static func shapeMismatch(
    class className: String, problems: [String], file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .shapeMismatch,
      Sentence(
        "read old objects of \(quoted(className))",
        "the frozen declaration does not match the file",
        items: problems,
        "Declare the properties as they were in that version. The store is unchanged."),
      Context(class: className).with(\.problems, problems), file: file, line: line)
  }

  /// Returns the error for two frozen declarations of one class that are both in use.
  package static func shapeAmbiguous(
    class className: String, types: [String], file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .shapeMismatch,
      Sentence(
        "read old objects of \(quoted(className))",
        "more than one type declares the class: \(types.map(quoted).joined(separator: ", "))",
        "Make all frozen declarations of one version link to the same types."),
      Context(class: className), file: file, line: line)
  }

  /// Returns the error for a type of new objects that is not among the models of the configuration.
  package static func shapeNotDeclared(
    class className: String, type: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .shapeMismatch,
      Sentence(
        "use \(quoted(type)) for new objects of \(quoted(className))",
        "it is not the model that the configuration declares for the class",
        "Use the model that is in the configuration, or in the step. The store is unchanged."),
      Context(class: className), file: file, line: line)
  }

  /// Returns the error for enumerating two classes of which one does not become the other.
  package static func shapeNotPaired(
    old oldName: String, new newName: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .shapeMismatch,
      Sentence(
        "enumerate \(quoted(oldName)) with \(quoted(newName))",
        "objects of \(quoted(oldName)) do not become objects of \(quoted(newName))",
        "Use two types of one class, or rename the class first. The store is unchanged."),
      Context(class: newName), file: file, line: line)
  }
}

// The problems of a frozen declaration, one sentence each.
extension Sentence {
  static func shapeLacks(_ property: String, known: [String]) -> String {
    let hint = Spelling.closest(to: property, among: known).map { " Did you mean \(quoted($0))?" }
    return "the file has no property \(quoted(property)).\(hint ?? "")"
  }

  static func shapeDiffers(_ wanted: PropertySchema, from stored: PropertySchema) -> String {
    "\(quoted(wanted.name)) is '\(typeName(wanted))' in the declaration, and '\(typeName(stored))' in the file."
  }

  private static func typeName(_ property: PropertySchema) -> String {
    "\(ElementType(property.type, isOptional: property.isOptional))"
  }

  static func shapeEmbedding(_ isEmbedded: Bool) -> String {
    isEmbedded
      ? "the class is embedded in the file, and not in the declaration."
      : "the class is embedded in the declaration, and not in the file."
  }
}
