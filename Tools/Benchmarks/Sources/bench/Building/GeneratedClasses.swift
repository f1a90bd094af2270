/// Generated classes of ten properties each, as models or plain classes, whose build time is
/// measured.
struct GeneratedClasses {
  enum Kind: String, CaseIterable {
    case models
    case plainClasses = "plain-classes"
  }

  let kind: Kind
  let count: Int

  /// The text of the file of each class, by file name.
  var files: [String: String] {
    Dictionary(
      uniqueKeysWithValues: (0..<count).map { number in
        ("Item\(number).swift", kind == .models ? model(number) : plainClass(number))
      })
  }

  /// The name and the new text of the file that changes between two builds.
  var changedFile: (name: String, text: String) {
    let name = "Item\(count / 2).swift"
    let text = (files[name] ?? "")
      .replacing("var score: Double = 0.5", with: "var score: Double = 1.5")
    return (name, text)
  }

  /// Returns the name of the class at a distance, which a class links to.
  private func target(of number: Int, _ distance: Int) -> String {
    "Item\((number + distance) % count)"
  }

  private func model(_ number: Int) -> String {
    """
    import Foundation
    import Whimbrel

    @Model
    final class Item\(number) {
      @PrimaryKey var id: Int
      var name: String
      var note: String?
      var score: Double = 0.5
      var isActive: Bool = true
      @Indexed var number: Int = \(number)
      var created: Date
      var payload: Data?
      var next: \(target(of: number, 1))?
      var others: StoredList<\(target(of: number, 7))>
    }

    """
  }

  private func plainClass(_ number: Int) -> String {
    let next = target(of: number, 1)
    let other = target(of: number, 7)
    return """
      import Foundation

      final class Item\(number) {
        var id: Int
        var name: String
        var note: String?
        var score: Double = 0.5
        var isActive: Bool = true
        var number: Int = \(number)
        var created: Date
        var payload: Data?
        var next: \(next)?
        var others: [\(other)]

        init(
          id: Int, name: String, note: String? = nil, score: Double = 0.5, isActive: Bool = true,
          number: Int = \(number), created: Date, payload: Data? = nil, next: \(next)? = nil,
          others: [\(other)] = []
        ) {
          self.id = id
          self.name = name
          self.note = note
          self.score = score
          self.isActive = isActive
          self.number = number
          self.created = created
          self.payload = payload
          self.next = next
          self.others = others
        }
      }

      """
  }
}
