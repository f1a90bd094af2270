import Foundation
import Testing

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

@Suite struct HeaderTests {
  private let header = Header(
    schemaVersion: 7, catalogRevision: 3, fingerprint: Fingerprint(low: 11, high: 12),
    uuid: UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8")!,
    creation: Date(timeIntervalSinceReferenceDate: 7e8), lastWriter: "Whimbrel ü")

  private func encoded(_ header: Header) -> [UInt8] {
    var buffer = ByteBuffer(capacity: 16)
    header.encode(into: &buffer)
    return buffer.bytes.array
  }

  private func decoded(_ bytes: [UInt8]) -> Result<Header, Header.Problem> {
    PageBytes.with(bytes) { page in
      do throws(Header.Problem) { return .success(try Header(page)) } catch {
        return .failure(error)
      }
    }
  }

  @Test func `a header comes back as it was`() throws {
    for name in ["", "x", "Whimbrel ü", String(repeating: "long ", count: 100)] {
      var header = header
      header.lastWriter = name
      let bytes = encoded(header)
      #expect(bytes.count % 8 == 0)
      #expect(try decoded(bytes).get() == header)
    }
    #expect(Array(encoded(header)[0..<8]) == Array("WHIMBREL".utf8))
  }

  @Test func `a header with any changed bit is an error`() {
    let bytes = encoded(header)
    for bit in 0..<bytes.count * 8 {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      switch decoded(damaged) {
      case .success: Issue.record("bit \(bit) does not count")
      case .failure(.notAStore): #expect(bit < 64)
      case .failure(.tooNew): #expect((96..<128).contains(bit))
      case .failure(.damaged): #expect(bit >= 64)
      }
    }
  }

  @Test func `a header of any length is an error, or whole`() {
    let bytes = encoded(header)
    for length in 0..<bytes.count {
      if case .success = decoded(Array(bytes[..<length])) { Issue.record("\(length) bytes") }
    }
    if case .success = decoded(bytes + [0, 0, 0, 0, 0, 0, 0, 0]) { Issue.record("too long") }
  }

  @Test(arguments: [13, 1 << 20, UInt32.max])
  func `a name that reaches behind the header is an error`(length: UInt32) {
    var bytes = encoded(header)
    for byte in 0..<4 { bytes[80 + byte] = UInt8(truncatingIfNeeded: length >> UInt32(8 * byte)) }
    let sum = PageBytes.with(bytes) {
      Checksum.record($0, hole: 84, seed: 0x4C45_5242_4D49_4857)
    }
    for byte in 0..<4 { bytes[84 + byte] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * byte)) }
    guard Int(length) > bytes.count - 88 else { return }
    if case .success = decoded(bytes) { Issue.record("length \(length)") }
  }
}
