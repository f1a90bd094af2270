internal import WhimbrelLMDB

/// A rewriter of records with changed values. Each record keeps its layout if it can.
///
/// Values of properties that the class no longer has are left out, so their bytes do not reach the
/// copy.
final class RecordRewriter {
  private let old: ResolvedClass
  private let new: ResolvedClass
  /// Whether all records get the current layout of the copy's class.
  private let isConverting: Bool
  /// The layouts with properties that the class no longer has.
  private let outdated: Set<LayoutID>
  /// The forms that keep a layout, by layout ID.
  private var forms: [LayoutID: Form] = [:]
  /// The forms that convert to the copy's current layout, by layout ID of the source.
  private var currentForms: [LayoutID: Form] = [:]

  /// Creates a rewriter.
  ///
  /// - Parameters:
  ///   - old: The class of the records.
  ///   - new: The class of the copy: the same class, or one with fewer properties.
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

  /// Returns whether records of a layout must be rewritten even if their values stay.
  func isNeeded(for layout: ResolvedLayout) -> Bool {
    isConverting || outdated.contains(layout.layout.id)
  }

  /// The way to rewrite records of one layout.
  private final class Form {
    /// The layout to read with, for the properties of the encoder's class.
    let source: ResolvedLayout
    var encoder: RecordEncoder
    /// The positions in the encoder's class, by position in the old class; nil for lost properties.
    let positions: [Int?]

    init(_ source: ResolvedLayout, _ target: ResolvedClass, _ properties: [CatalogProperty]) {
      self.source = source
      encoder = RecordEncoder(target)
      positions = properties.map { property in
        target.properties.firstIndex { $0.id == property.id }
      }
    }
  }

  /// Calls `body` with a record's new bytes, with their checksum, and its overflow.
  ///
  /// If the layout cannot hold a changed value, for example of a property added later, the record
  /// gets the current layout.
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
  /// Returns whether records of this layout have a slot for a value.
  fileprivate func canHold(_ change: StoreCopy.Change, of entry: ResolvedClass) -> Bool {
    guard let field = fields[change.position] else { return false }
    return !change.value.isNull || field.presence != nil
      || entry.properties[change.position].type == .any
  }
}

extension ResolvedClass {
  /// Returns the class as it was when a layout was current, without the properties that it has lost
  /// since. Types are those of the layout.
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
