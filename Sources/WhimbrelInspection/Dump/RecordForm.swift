internal import WhimbrelEngine
internal import WhimbrelLMDB

/// A plan for writing the records of one layout, computed once per layout.
struct RecordForm {
  /// A property of the class, and where records hold its value.
  struct Column: BitwiseCopyable, Sendable {
    let form: ValueForm
    /// Whether the value is nil unless the bit ``presence`` is set.
    let mayBeAbsent: Bool
    let slot: RecordSlot
    let presence: Int32
    /// The form of the elements if the record may hold the whole list or set, otherwise `other`.
    let element: ValueForm
    /// The size of an element in bytes, or 0 if sizes vary.
    let elementWidth: UInt8
    /// The end of this property's prefix (separator, name, colon) in ``names``.
    let nameEnd: Int32
  }

  private let columns: StaticArray<Column>
  private let nameBytes: StaticArray<UInt8>
  /// The fields of collections that need no conversion, by the index of the property.
  let collections: [RecordField?]

  /// The properties in the declared order. The view must not outlive the form.
  var columnView: StaticArray<Column>.View { columns.view }
  /// The prefixes of all values, one after the other. The view must not outlive the form.
  var names: PageBytes { nameBytes.view.bytes }

  init(_ layout: ResolvedLayout, of properties: [CatalogProperty]) {
    var names = JSONWriter()
    var columns: [Column] = []
    var collections: [RecordField?] = []
    for (position, property) in properties.enumerated() {
      if position > 0 { names.append(raw: ",") }
      names.append(property.name)
      names.append(raw: ":")
      let slot = layout.slots[position]
      let isStored = slot.access != .conversion
      let element = isStored ? Self.element(of: property.type) : .other
      columns.append(
        Column(
          form: isStored || property.type.isCollection ? ValueForm(property.type) : .other,
          mayBeAbsent: slot.access == .present, slot: slot.place, presence: slot.presence,
          element: element,
          elementWidth: element.hasOneSize
            ? UInt8(property.type.elementType?.type.slotSize ?? 0) : 0,
          nameEnd: Int32(names.count)))
      collections.append(
        isStored && property.type.isCollection
          ? layout.layout.fields.first { $0.slot == slot.place } : nil)
    }
    self.columns = StaticArray(columns)
    nameBytes = StaticArray(names.bytes)
    self.collections = collections
  }

  private static func element(of type: PropertyType) -> ValueForm {
    switch type {
    case .list(let element) where !element.isOptional: ValueForm(element.type)
    case .set(let element) where !element.isOptional: ValueForm(element.type)
    default: .other
    }
  }
}
