/// What stays of a text when it is replaced: its characters but those that others take the place
/// of, and for these their alphabets.
///
/// Invariant: a text and what replaces it have the same shape. So texts of different shapes become
/// different texts, and among those of one shape a permutation sees to it.
struct TextShape {
  /// A place whose symbol is replaced.
  struct Slot: Hashable {
    /// Where it begins, in scalars.
    var start: Int
    /// The number of the alphabet.
    var alphabet: Int
    /// The part of the text that it belongs to.
    var part: Int
  }

  /// A range of a text that is replaced alike wherever it stands; the first part is what belongs
  /// to no other.
  struct Part: Hashable {
    var kind: Kind
    /// What the replacement depends on besides the key, in scalars: an address's domain.
    var context: Range<Int>

    enum Kind: UInt64 {
      case plain, address, identifier
    }
  }

  var scalars: [Unicode.Scalar]
  /// The places, in the order of the text.
  var slots: [Slot] = []
  /// The symbols at these places.
  var symbols: [UInt32] = []
  var parts: [Part] = [Part(kind: .plain, context: 0..<0)]
  /// The domains of e-mail addresses, in scalars.
  var domains: [Range<Int>] = []
  /// The places of the characters of bank account numbers, whose check digits follow from the rest.
  var accounts: [[Int]] = []

  /// The numbers of the places that belong to each part.
  ///
  /// - Complexity: O(*n*): a text may have a part for every few characters.
  func slotsOfParts() -> [[Int]] {
    var places = [[Int]](repeating: [], count: parts.count)
    for (number, slot) in slots.enumerated() { places[slot.part].append(number) }
    return places
  }

  /// Whether another text has the same shape, apart from what its domains are.
  func matches(_ other: TextShape) -> Bool {
    slots == other.slots && parts == other.parts && domains == other.domains
      && accounts == other.accounts
  }
}
