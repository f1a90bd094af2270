import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// Strings that are too long for a key.
struct LongTextKeyTests {
  private let limit = KeyEncoding.textLimit

  @Test(arguments: [0, 1, 399, 400, 401, 402, 1_000, 100_000])
  func `a string is cut when it exceeds the limit`(length: Int) {
    let text = PropertyValue.string(String(repeating: "x", count: length))
    let bytes = encoding(of: text)
    #expect(bytes.count == (length > limit ? limit + 10 : length + 2))
    #expect(KeyEncoding.isTruncated(text) == (length > limit))
    #expect(KeyEncoding.isTruncated(encodedLength: bytes.count) == (length > limit))
    #expect(encoding(of: text, isOptional: true).count <= KeyEncoding.maximumLength)
  }

  @Test(arguments: [199, 200, 201])
  func `escaped zeros count twice`(zeros: Int) {
    let text = PropertyValue.string(String(repeating: "\0", count: zeros))
    let bytes = encoding(of: text)
    #expect(bytes.count == (zeros > 200 ? limit + 10 : zeros * 2 + 2))
    #expect(KeyEncoding.isTruncated(text) == (zeros > 200))
  }

  @Test func `a cut does not part a zero from its escape`() {
    let bytes = encoding(of: .string(String(repeating: "x", count: limit - 1) + "\0yyy"))
    #expect(bytes.count == limit - 1 + 10)
    #expect(Array(bytes[(limit - 1)...limit]) == [0, 1])
    #expect(KeyEncoding.isTruncated(encodedLength: bytes.count))
  }

  @Test func `the hash is FNV-1a and part of the format`() {
    let bytes = encoding(of: .string(String(repeating: "a", count: 401)))
    let expected = (0..<401).reduce(UInt64(14_695_981_039_346_656_037)) { hash, _ in
      (hash ^ 97) &* 1_099_511_628_211
    }
    let found = bytes.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    #expect(found == expected)
  }

  @Test func `strings that differ after the cut have other keys`() {
    let start = String(repeating: "x", count: 450)
    #expect(encoding(of: .string(start + "a")) != encoding(of: .string(start + "b")))
  }

  // Every string of up to three characters out of four, behind a start that
  // ends around the cut: the places where a mark, an end and an escape meet.
  @Test(.takesLong, arguments: 396...402)
  func `cut strings sort right among their neighbours`(startLength: Int) {
    let start = String(repeating: "x", count: startLength)
    let alphabet = ["\0", "\u{1}", "b", "é"]
    var tails = [""]
    for length in 0..<3 {
      tails += tails.filter { $0.count == length }.flatMap { tail in alphabet.map { tail + $0 } }
    }
    tails.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let texts = tails.map { start + $0 }
    #expect(texts.count == 85)
    let keys = texts.map { text in
      (bytes: encoding(of: .string(text)), isCut: KeyEncoding.isTruncated(.string(text)))
    }
    var failures: [String] = []
    for (lower, left) in keys.enumerated() {
      for (higher, right) in keys.enumerated().dropFirst(lower + 1) {
        // Invariant: keys of cut strings may only be out of order when all
        // before the hash is equal.
        let isTie =
          left.isCut && right.isCut && left.bytes.dropLast(8) == right.bytes.dropLast(8)
        let isInOrder = isTie || left.bytes.lexicographicallyPrecedes(right.bytes)
        let isPrefix =
          right.bytes.starts(with: left.bytes) || left.bytes.starts(with: right.bytes)
        if !isInOrder || isPrefix { failures.append("\(tails[lower]), \(tails[higher])") }
      }
    }
    #expect(failures.isEmpty)
  }
}
