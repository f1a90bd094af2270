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
      let isStored = slot.access != .detour
      columns.append(
        Column(
          form: isStored || property.type.isCollection ? ValueForm(property.type) : .other,
          mayBeAbsent: slot.access == .present, offset: slot.offset, presence: slot.presence,
          nameEnd: Int32(names.count)))
      collections.append(
        isStored && property.type.isCollection
          ? layout.layout.fields.first { $0.offset == Int(slot.offset) } : nil)
    }
    self.columns = StaticArray(columns)
    nameBytes = StaticArray(names.bytes)
    self.collections = collections
  }
}
