/// A value that is compared as observers compare it: to the bit, as queries do, but all NaNs are one
/// value.
///
/// Elements of sets are compared differently: there, −0 equals 0, and texts that are canonically
/// equivalent are one element.
struct ObservedValue: Hashable {
  private let value: PropertyValue

  init(_ value: PropertyValue) { self.value = value }

  static func == (left: ObservedValue, right: ObservedValue) -> Bool {
    if left.value.isIdentical(to: right.value) { return true }
    // Only NaN, and a list or a map with NaN, does not equal itself.
    return left.value != left.value && ElementValue(left.value) == ElementValue(right.value)
  }

  // Values that are equal here are also the same element of a set.
  func hash(into hasher: inout Hasher) { ElementValue(value).hash(into: &hasher) }
}
