internal import WhimbrelEngine
internal import WhimbrelLMDB

/// How the values of records of one layout are found and written: worked out once for all of
/// its records.
struct RecordForm {
  /// A property of the class.
  struct Column: BitwiseCopyable, Sendable {
    let form: ValueForm
    /// Whether the slot has a value only if the bit ``presence`` is set.
    let mayBeAbsent: Bool
    let offset: Int32
    let presence: Int32
    /// What the elements are of a collection that may stand in the record as a whole.
    let element: ValueForm
    /// The size of such an element, or 0 where they differ.
    let elementWidth: UInt8
    /// Where the text in front of the value ends among those of all properties.
    let nameEnd: Int32
  }

  private let columns: StaticArray<Column>
  private let nameBytes: StaticArray<UInt8>
  /// The fields of collections that are stored as what they are now, by position.
  let collections: [RecordField?]

  /// The properties, in their order. It must not outlive the form.
  var columnView: StaticArray<Column>.View { columns.view }
  /// What stands in front of the values. It must not outlive the form.
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
          mayBeAbsent: slot.access == .present, offset: slot.offset, presence: slot.presence,
          element: element,
          elementWidth: element.hasOneSize
            ? UInt8(property.type.elementType?.type.slotSize ?? 0) : 0,
          nameEnd: Int32(names.count)))
      collections.append(
        isStored && property.type.isCollection
          ? layout.layout.fields.first { $0.offset == Int(slot.offset) } : nil)
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
