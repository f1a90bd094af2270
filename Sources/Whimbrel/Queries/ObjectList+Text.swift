internal import WhimbrelEngine

extension ObjectList {
  /// Returns the list with the stages of a query in text appended.
  func appending(_ text: String, _ arguments: [Any?]) throws -> ObjectList {
    let values = try arguments.enumerated().map { number, argument in
      try stored(argument, number)
    }
    let query = try QueryRequest(
      className, parsing: text, arguments: values, in: session.shown.catalog.schemaOfAllClasses)
    return try appendingChecked(query.stages)
  }

  /// Returns an argument as a stored value.
  private func stored(_ argument: Any?, _ number: Int) throws -> PropertyValue {
    guard let value = argument.flatMap(flattened) else { return .null }
    if let object = modelObject(value) { return try reference(to: object) }
    if let read = FoundationNumber(value)?.value(for: .any) { return read }
    switch value {
    case let value as PropertyValue: return value
    case AnyValue.object(let object): return try reference(to: object)
    case let object as DynamicObject: return try reference(to: object)
    case let value as any Persistable: return value.propertyValue
    // A Substring is a text, although it is also a sequence.
    case let values as any Sequence where !(value is Substring):
      return .list(try Array<Any>(values).map { try stored($0, number) })
    default:
      throw StoreError.invalidQueryArgument(
        class: className, number: number,
        got: ValueConversion.typeName(of: value))
    }
  }

  private func reference(to object: any Model) throws -> PropertyValue {
    let name = type(of: object)._$schema.name
    guard session.file.isSame(as: object._$row.session?.file) else {
      throw StoreError.foreignObject(
        class: className, of: name, isManaged: object.isManaged)
    }
    let present = try session.table(name).resolved.id
    // Another class may have the name of its class now, with an object that has its ID.
    let classID = object._$row.session === session ? object._$row.table?.resolved.id : nil
    return .object(ObjectReference(classID: classID ?? present, id: object._$row.id))
  }

  private func reference(to object: DynamicObject) throws -> PropertyValue {
    guard object.isShown(in: session) else {
      throw StoreError.foreignObject(class: className, of: object.className, isManaged: true)
    }
    return object.reference
  }
}

extension Array where Element == Any {
  fileprivate init(_ values: some Sequence) { self = values.map { $0 as Any } }
}
