import Testing

@testable import WhimbrelEngine

/// Binary search in collections of two halves.
struct PartitionPointTests {
  @Test func `the point is found at every place of collections of every size`() {
    for size in 0...33 {
      for point in 0...size {
        var calls = 0
        let found = (0..<size).partitionPoint { index in
          calls += 1
          return index >= point
        }
        #expect(found == point)
        #expect(calls <= size.bitWidth - size.leadingZeroBitCount)
      }
    }
  }

  @Test func `a slice keeps the indices of its collection`() {
    let numbers = [1, 3, 3, 5, 7]
    #expect(numbers[1...].partitionPoint { $0 >= 3 } == 1)
    #expect(numbers[1...].partitionPoint { $0 > 3 } == 3)
    #expect(numbers[1..<3].partitionPoint { $0 > 9 } == 3)
  }

  @Test func `an error of the condition ends the search`() {
    struct Refused: Error {}
    #expect(throws: Refused.self) { try [1, 2, 3].partitionPoint { _ in throw Refused() } }
  }
}
