import WhimbrelEngine
import WhimbrelTestSupport

/// Random schemas, and random changes of them.
extension MigrationOracle {
  private static let scalars: [PropertyType] = [
    .bool, .int8, .int16, .int32, .int, .uint8, .uint16, .uint32, .float, .double, .string, .data,
    .date, .uuid, .decimal, .objectId, .any,
  ]
  private static let keyTypes: [PropertyType] = [.int16, .int32, .int, .string, .uuid, .objectId]

  /// Three classes, and one of embedded objects.
  init(using generator: inout SeededGenerator) {
    classes = ["A", "B", "C", "E"].map { name in
      let tag = Property(schema: .required("tag", .int))
      return Class(name: name, isEmbedded: name == "E", properties: [tag])
    }
    for index in classes.indices {
      classes[index].indexSeed = generator.next()
      if !classes[index].isEmbedded {
        classes[index].properties[0].schema.isPrimaryKey = Bool.random(using: &generator)
      }
      for number in 0..<Int.random(in: 2...6, using: &generator) {
        let property = property("p\(number)", of: index, using: &generator)
        classes[index].properties.append(property)
      }
      if generator.once(in: 2) { addKey("key", to: index, using: &generator) }
    }
    adoptDeclaredSchema()
  }

  private func property(
    _ name: String, of index: Int, using generator: inout SeededGenerator
  ) -> Property {
    let type = type(of: index, using: &generator)
    var schema = PropertySchema(name: name, type: type)
    if type.linkedClass == nil, !type.isCollection, type != .any {
      schema.isOptional = Bool.random(using: &generator)
    }
    schema.isIndexed = type.canBeIndexed && generator.once(in: 3)
    if type == .string, generator.once(in: 3) { schema.cases = ["red", "green", "blue"] }
    setDefault(&schema, using: &generator)
    return Property(schema: schema)
  }

  private func setDefault(
    _ schema: inout PropertySchema, using generator: inout SeededGenerator
  ) {
    schema.defaultValue = .none
    if schema.type.linkedClass == nil, Bool.random(using: &generator) {
      schema.defaultValue = .value(Self.value(schema, using: &generator))
    }
  }

  private func type(of index: Int, using generator: inout SeededGenerator) -> PropertyType {
    let scalar = Self.scalars.randomElement(using: &generator) ?? .int
    let isOptional = scalar != .any && generator.once(in: 4)
    let element = ElementType(scalar, isOptional: isOptional)
    guard generator.once(in: 3) else {
      switch Int.random(in: 0..<9, using: &generator) {
      case 0: return .list(of: element)
      case 1: return .set(of: scalar == .any ? ElementType(.int) : element)
      case 2: return .map(of: element)
      default: return scalar
      }
    }
    // Embedded objects have none of their own here, so that there is no circle.
    let targets = classes.filter { !$0.isEmbedded || !classes[index].isEmbedded }
    guard let target = targets.randomElement(using: &generator) else { return scalar }
    let link = ElementType(.link(to: target.name))
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: return .list(of: link)
    case 1 where target.name == Self.linkedByAny: return .set(of: link)
    case 2: return .map(of: link)
    default: return link.type
    }
  }

  private mutating func addKey(
    _ name: String, to index: Int, using generator: inout SeededGenerator
  ) {
    let type = Self.keyTypes.randomElement(using: &generator) ?? .int
    classes[index].properties.append(Property(schema: .required(name, type)))
  }
}

// MARK: - Changes of classes

extension MigrationOracle {
  /// The next version.
  func changed(_ version: Int, using generator: inout SeededGenerator) -> MigrationOracle {
    var next = self
    for change in 0..<2 where generator.once(in: 3) {
      next.changeClasses("V\(version)N\(change)", using: &generator)
    }
    for index in next.classes.indices {
      if generator.once(in: 3) { next.classes[index].indexSeed = generator.next() }
      for change in 0..<Int.random(in: 0...3, using: &generator) {
        next.changeProperty(of: index, "v\(version)n\(change)", using: &generator)
      }
      if generator.once(in: 4) { next.changeKey(of: index, using: &generator) }
    }
    return next
  }

  private mutating func changeClasses(_ name: String, using generator: inout SeededGenerator) {
    let index = Int.random(in: classes.indices, using: &generator)
    let isFixed = classes[index].name == Self.linkedByAny
    switch Int.random(in: 0..<4, using: &generator) {
    case 0:
      let tag = Property(schema: .required("tag", .int))
      classes.append(Class(name: name, properties: [tag]))
      classes[classes.count - 1].properties.append(
        property("p0", of: classes.count - 1, using: &generator))
    case 1 where !isFixed && classes.count > 2: removeClass(index)
    case 2 where !isFixed: renameClass(index, to: name)
    case 3 where !isFixed: changeEmbedding(index)
    default: break
    }
  }

  private mutating func removeClass(_ index: Int) {
    let gone = classes.remove(at: index)
    if let oldName = gone.oldName { removed.append(oldName) }
    for index in classes.indices {
      classes[index].properties.removeAll { $0.schema.type.linkedClass == gone.name }
    }
  }

  private mutating func renameClass(_ index: Int, to name: String) {
    let oldName = classes[index].name
    classes[index].name = name
    for index in classes.indices {
      for position in classes[index].properties.indices {
        classes[index].properties[position].schema.renameLinks(oldName, name)
        classes[index].properties[position].old?.renameLinks(oldName, name)
      }
    }
  }

  private mutating func changeEmbedding(_ index: Int) {
    let name = classes[index].name
    if !classes[index].isEmbedded {
      // Neither in sets nor in a circle.
      let embedded = Set(classes.filter(\.isEmbedded).map(\.name) + [name])
      let isInside = classes.filter { embedded.contains($0.name) }.contains { entry in
        entry.properties.contains { embedded.contains($0.schema.type.linkedClass ?? "") }
      }
      if isInside { return }
    }
    classes[index].isEmbedded.toggle()
    guard classes[index].isEmbedded else { return }
    for position in classes[index].properties.indices {
      classes[index].properties[position].schema.isPrimaryKey = false
    }
  }

  private mutating func changeKey(of index: Int, using generator: inout SeededGenerator) {
    guard !classes[index].isEmbedded else { return }
    let keys = classes[index].properties.indices.filter { classes[index].properties[$0].isKey }
    let chosen = generator.once(in: 3) ? nil : keys.randomElement(using: &generator)
    for position in classes[index].properties.indices {
      classes[index].properties[position].schema.isPrimaryKey = position == chosen
    }
  }
}

// MARK: - Changes of properties

extension MigrationOracle {
  private mutating func changeProperty(
    of index: Int, _ name: String, using generator: inout SeededGenerator
  ) {
    let position = Int.random(in: classes[index].properties.indices, using: &generator)
    var property = classes[index].properties[position]
    switch Int.random(in: 0..<10, using: &generator) {
    case 0:
      classes[index].properties.append(self.property(name, of: index, using: &generator))
      return
    case 1 where !property.isKey:
      classes[index].properties.remove(at: position)
      return
    case 2 where !property.isTag:
      if property.old != nil { property.schema.previousNames.append(property.schema.name) }
      property.schema.name = (property.isKey ? "key" : "") + name
    case 3 where !property.isKey: toggleOptional(&property.schema)
    case 4, 5: retype(&property, of: index, using: &generator)
    case 6 where property.schema.type.canBeIndexed: property.schema.isIndexed.toggle()
    case 7 where !property.isKey: setDefault(&property.schema, using: &generator)
    case 8 where property.schema.cases != nil:
      property.schema.cases = generator.once(in: 2) ? ["red", "green"] : ["red", "pink", "blue"]
      property.schema.defaultValue = .none
    case 9:
      classes[index].properties.shuffle(using: &generator)
      if !classes[index].properties.contains(where: { $0.isKey && !$0.isTag }) {
        addKey("key" + name, to: index, using: &generator)
      }
      return
    default: return
    }
    classes[index].properties[position] = property
  }

  private func toggleOptional(_ schema: inout PropertySchema) {
    guard schema.type.linkedClass == nil, !schema.type.isCollection, schema.type != .any else {
      return
    }
    schema.isOptional.toggle()
  }

  private func retype(
    _ property: inout Property, of index: Int, using generator: inout SeededGenerator
  ) {
    guard !property.isTag else { return }
    let old = property.schema
    if property.isKey {
      property.schema.type = Self.keyTypes.randomElement(using: &generator) ?? .int
      return
    }
    var new = self.property(old.name, of: index, using: &generator).schema
    // Mostly, one that it converts to.
    for _ in 0..<4 where !Self.converts(old.type, new.type) {
      new = self.property(old.name, of: index, using: &generator).schema
    }
    if generator.once(in: 3) { new.type = related(old.type, using: &generator) ?? new.type }
    if new.type != old.type {
      new.cases = nil
      let mayBeOptional = !new.type.isCollection && new.type != .any
      new.isOptional = new.type.linkTarget != nil || new.isOptional && mayBeOptional
      new.isIndexed = new.isIndexed && new.type.canBeIndexed
      setDefault(&new, using: &generator)
    }
    // Other classes than the one might be renamed, or go.
    if let target = property.old?.type.linkedClass ?? old.type.linkedClass,
      target != Self.linkedByAny, new.type == .any || new.type.elementType?.type == .any
    {
      return
    }
    new.previousNames = old.previousNames
    property.schema = new
  }

  /// A collection of what was one value, one value of what was a collection, or another
  /// collection of the same.
  private func related(
    _ type: PropertyType, using generator: inout SeededGenerator
  ) -> PropertyType? {
    if type == .any { return nil }
    let element = type.elementType ?? ElementType(type)
    let isEmbedded = classes.contains { $0.isEmbedded && $0.name == element.type.linkTarget }
    let isSet =
      Bool.random(using: &generator) && !isEmbedded && element.type != .any
      && element.type.linkTarget.map { $0 == Self.linkedByAny } ?? true
    switch type {
    case .list: return isSet ? .set(of: element) : element.type
    case .set: return isSet ? element.type : .list(of: element)
    case .map: return nil
    default: return isSet ? .set(of: element) : .list(of: element)
    }
  }
}

extension PropertySchema {
  mutating func renameLinks(_ oldName: String, _ newName: String) {
    guard type.linkedClass == oldName else { return }
    let link = PropertyType.link(to: newName)
    type =
      switch type {
      case .list: .list(of: ElementType(link))
      case .set: .set(of: ElementType(link))
      case .map: .map(of: ElementType(link))
      default: link
      }
  }
}
