/// The parts of a text that stay when it is replaced: its fixed characters, and the alphabets of
/// the others.
///
/// Invariant: a text and its replacement have the same shape. So texts of different shapes get
/// different replacements, and among texts of one shape the replacement is a permutation.
struct TextShape {
  /// A position whose symbol is replaced.
  struct Slot: Hashable {
    /// The index of its first scalar.
    var start: Int
    /// The index of the alphabet.
    var alphabet: Int
    /// The index of the part that it belongs to.
    var part: Int
  }

  /// A part of a text that gets the same replacement in every text. The first part holds everything
  /// that belongs to no other part.
  struct Part: Hashable {
    var kind: Kind
    /// The scalars that the replacement depends on besides the key: the domain of an address.
    var context: Range<Int>

    enum Kind: UInt64 {
      case plain, address, identifier
    }
  }

  var scalars: [Unicode.Scalar]
  /// The slots, in text order.
  var slots: [Slot] = []
  /// The symbols in these slots.
  var symbols: [UInt32] = []
  var parts: [Part] = [Part(kind: .plain, context: 0..<0)]
  /// The domains of e-mail addresses, as ranges of scalars.
  var domains: [Range<Int>] = []
  /// The positions of the characters of bank account numbers. Their check digits follow from the
  /// rest.
  var accounts: [[Int]] = []

  /// Returns the indexes of the slots of each part.
  ///
  /// - Complexity: O(*n*): a text may have a part for every few characters.
  func slotsOfParts() -> [[Int]] {
    var places = [[Int]](repeating: [], count: parts.count)
    for (number, slot) in slots.enumerated() { places[slot.part].append(number) }
    return places
  }

  /// Returns whether another text has the same shape. The characters of domains do not count.
  func matches(_ other: TextShape) -> Bool {
    slots == other.slots && parts == other.parts && domains == other.domains
      && accounts == other.accounts
  }
}
