internal import WhimbrelLMDB

/// Writes records of a class anew, with other values, each in the layout that it has.
///
/// What a record has of properties that the class no longer has is left out: its bytes do not
/// reach the copy.
final class RecordRewriter {
  private let old: ResolvedClass
  private let new: ResolvedClass
  /// Whether records get the layout that the copy's class writes.
  private let isConverting: Bool
  /// The layouts that have what the class has no more.
  private let outdated: Set<LayoutID>
  /// By layout ID: the class as that layout has it.
  private var forms: [LayoutID: Form] = [:]
  /// By layout ID: the class as the copy writes it.
  private var currentForms: [LayoutID: Form] = [:]

  /// - Parameters:
  ///   - old: the class of the records.
  ///   - new: the class of the copy: the same, or one with fewer properties.
  init(from old: ResolvedClass, to new: ResolvedClass) {
    self.old = old
    self.new = new
    isConverting = old.properties.count != new.properties.count
    let properties = Set(old.properties.map(\.id))
    outdated = Set(
      old.entry.layouts.filter { layout in
        layout.fields.contains { !properties.contains($0.property) }
      }.map(\.id))
  }

  /// Whether the records of a layout have to be written anew, whatever their values.
  func isNeeded(for layout: ResolvedLayout) -> Bool {
    isConverting || outdated.contains(layout.layout.id)
  }

  /// What records of one layout are written as.
  private final class Form {
    /// How records are read, with the properties of the encoder's class.
    let source: ResolvedLayout
    var encoder: RecordEncoder
    /// By the position in the old class: the position in the encoder's, or nil.
    let positions: [Int?]

    init(_ source: ResolvedLayout, _ target: ResolvedClass, _ properties: [CatalogProperty]) {
      self.source = source
      encoder = RecordEncoder(target)
      positions = properties.map { property in
        target.properties.firstIndex { $0.id == property.id }
      }
    }
  }

  /// Calls `body` with a record's new bytes, signed, and what of it lies outside.
  ///
  /// A value that the record's layout cannot hold, as that of a property which was added
  /// later, makes it one of the current layout.
  func rewrite(
    _ record: PageBytes, _ id: ObjectID, _ layout: ResolvedLayout, _ overflow: Overflow,
    _ changes: [StoreCopy.Change], _ body: (PageBytes, PendingOverflow) throws -> Void
  ) throws {
    let form = try form(of: layout, holding: changes)
    form.encoder.begin()
    for index in form.encoder.target.properties.indices {
      try form.encoder.copy(index, from: record, form.source, overflow, .copied)
    }
    for change in changes {
      guard let position = form.positions[change.position] else { continue }
      try form.encoder.setStored(position, change.value)
    }
    try body(form.encoder.finish(id), form.encoder.pending)
  }

  private func form(
    of layout: ResolvedLayout, holding changes: [StoreCopy.Change]
  ) throws -> Form {
    let number = layout.layout.id
    if !isConverting, changes.allSatisfy({ layout.canHold($0, of: old) }) {
      if let form = forms[number] { return form }
      let target = old.limited(to: layout.layout)
      let form = Form(target.written, target, old.properties)
      forms[number] = form
      return form
    }
    if let form = currentForms[number] { return form }
    let source = ResolvedLayout(layout.layout, for: new.properties)
    let form = Form(source, new, old.properties)
    currentForms[number] = form
    return form
  }
}

extension ResolvedLayout {
  /// Whether records of this layout have a place for a value.
  fileprivate func canHold(_ change: StoreCopy.Change, of entry: ResolvedClass) -> Bool {
    guard let field = fields[change.position] else { return false }
    return !change.value.isNull || field.presence != nil
      || entry.properties[change.position].type == .any
  }
}

extension ResolvedClass {
  /// The class as it was when a layout was the one written: with the properties that it has
  /// and the class still has, and the types that it stores.
  fileprivate func limited(to layout: RecordLayout) -> ResolvedClass {
    var entry = entry
    entry.properties = layout.fields.compactMap { field in
      guard var property = properties.first(where: { $0.id == field.property }) else {
        return nil
      }
      property.type = field.type
      property.isOptional = field.presence != nil
      property.cases = nil
      return property
    }
    entry.indexes = []
    entry.layouts = [layout]
    entry.currentLayout = layout.id
    return ResolvedClass(entry)
  }
}
