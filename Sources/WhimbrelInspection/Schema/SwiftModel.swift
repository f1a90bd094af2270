internal import WhimbrelEngine

/// The Swift declaration of a class.
struct SwiftModel {
  private let entry: SchemaExport.ClassExport
  private let types: SwiftType
  private(set) var enums: [SwiftEnum] = []
  /// The Swift names of the properties. Properties that cannot have one are
  /// missing.
  private let members: [String: String]

  init(_ entry: SchemaExport.ClassExport, _ types: SwiftType) {
    self.entry = entry
    self.types = types
    var used = Set(entry.properties.flatMap { types.names(in: $0) })
    if let name = types.classNames[entry.name] { used.insert(name) }
    members = SwiftName.members(entry.properties.map(\.name), besides: used)
  }

  private var name: String { types.classNames[entry.name] ?? "" }

  /// Returns the declaration, with a line end.
  mutating func declaration(_ names: inout UniqueNames) -> String {
    let properties = entry.properties.map { property in
      self.property(property, &names).map { "  \($0)\n" }.joined()
    }
    let lines = [modelAttribute] + indexAttributes + ["final class \(name) {"]
    return lines.map { $0 + "\n" }.joined() + properties.joined() + "}\n"
  }

  private var modelAttribute: String {
    var arguments: [String] = []
    if name != entry.name { arguments.append(entry.name.swiftLiteral) }
    if entry.isEmbedded { arguments.append(".embedded") }
    return arguments.isEmpty ? "@Model" : "@Model(\(arguments.joined(separator: ", ")))"
  }

  /// The attributes for indexes on several properties.
  private var indexAttributes: [String] {
    entry.indexes.filter { $0.properties.count > 1 }.map { index in
      let members = index.properties.map { self.members[$0] }
      guard members.allSatisfy({ $0 != nil }) else {
        let words = PlainText.escaped(index.description)
        return "// The \(words) has a property without a name in Swift."
      }
      let list = members.compactMap(\.self).map { "\\.\($0)" }.joined(separator: ", ")
      return index.kind == .ordered ? "@Index([\(list)])" : "@Index([\(list)], .\(index.kind))"
    }
  }

  /// Returns the lines of a property without indentation.
  private mutating func property(
    _ property: PropertySchema, _ names: inout UniqueNames
  ) -> [String] {
    guard let member = members[property.name] else {
      return [
        "// Property \(PlainText.quoted(property.name)) of type "
          + "\(PlainText.quoted(property.type.description)) has no name in Swift."
      ]
    }
    var comments: [String] = []
    var values: SwiftEnum?
    if property.cases != nil {
      values = makeEnum(of: property, &names)
      if values == nil { comments.append("// Its enum has no cases that Swift can express.") }
    }
    var line = attributes(of: property).map { $0 + " " }.joined()
    line += "var \(member): \(types.name(of: property, values: values))"
    switch property.defaultValue {
    case .none: break
    case .value(let value):
      let words = SwiftValue(
        values: values, namesEnum: property.isOptional || property.type.isCollection)
      if let expression = words.expression(value, property.type) {
        line += " = \(expression)"
      } else if !value.isNull {
        comments.append("// Its default value has no counterpart in Swift.")
      }
    case .generated:
      if let expression = property.type.swiftGenerator {
        line += " = \(expression)"
      } else {
        comments.append("// The app's code generates its default value. It is not in the file.")
      }
    }
    return comments + [line]
  }

  private mutating func makeEnum(
    of property: PropertySchema, _ names: inout UniqueNames
  ) -> SwiftEnum? {
    let member = (members[property.name] ?? "").filter { $0 != "`" }
    let wanted = name + member.prefix(1).uppercased() + member.dropFirst()
    // The name counts as taken only if the enum exists.
    var taken = names
    let enumName = taken.take(SwiftName.type(wanted, suffix: "Enum"))
    guard let values = SwiftEnum(enumName, of: property) else { return nil }
    names = taken
    enums.append(values)
    return values
  }

  private func attributes(of property: PropertySchema) -> [String] {
    var attributes: [String] = []
    let member = members[property.name].map { name in String(name.filter { $0 != "`" }) }
    if let member, member != property.name {
      attributes.append("@StoredName(\(property.name.swiftLiteral))")
    }
    if property.isPrimaryKey { attributes.append("@PrimaryKey") }
    if property.isIndexed { attributes.append("@Indexed") }
    attributes += entry.indexes.filter { $0.properties == [property.name] }.map {
      "@Indexed(.\($0.kind))"
    }
    if !property.previousNames.isEmpty {
      let names = property.previousNames.map(\.swiftLiteral).joined(separator: ", ")
      attributes.append("@Renamed(from: \(names))")
    }
    return attributes
  }
}
