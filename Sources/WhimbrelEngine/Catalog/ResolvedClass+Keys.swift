package import WhimbrelLMDB

extension ResolvedClass {
  /// Appends the key of a primary key's value, without an object ID.
  package func appendKey(
    _ position: Int, of record: PageBytes, _ layout: ResolvedLayout, to key: inout [UInt8]
  ) {
    KeyEncoding.append(
      layout.value(position, of: record, as: properties[position].type), isOptional: false,
      to: &key)
  }

  /// Appends the key of an index entry; nothing for a link that is nil.
  ///
  /// Every value is encoded as an optional one, so that an index stays as it is
  /// when its property is made optional or required.
  package func appendIndexKey(
    _ position: Int, of record: PageBytes, _ layout: ResolvedLayout, _ id: ObjectID,
    to key: inout [UInt8]
  ) {
    let property = properties[position]
    let value = layout.value(position, of: record, as: property.type)
    if property.type.linkTarget != nil, value.isNull { return }
    KeyEncoding.append(value, isOptional: true, to: &key)
    KeyEncoding.append(id, to: &key)
  }
}
