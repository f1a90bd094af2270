import Foundation

/// The layout of a person's record in bare LMDB: fixed slots, then the bytes of the strings, padded
/// to eight bytes.
///
/// The slot of a string holds its offset and its length, 32 bits each. Version 2 keeps the fixed
/// slots, but its age is a string and its score is another one; it adds the full name.
enum LMDBRecord {
  static let layout = 0
  static let id = 8
  static let age = 16
  static let score = 24
  static let created = 32
  static let isActive = 40
  static let avatar = 48
  static let firstName = 80
  static let lastName = 88
  /// The email in version 1, the mail in version 2.
  static let mail = 96
  static let sizeOfVersion1 = 104
  static let fullName = 104
  static let sizeOfVersion2 = 112
}

/// A buffer for building records. It reuses its memory.
@safe
final class LMDBRecordBuffer {
  private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 8)
  private(set) var count = 0

  deinit { unsafe bytes.deallocate() }

  /// The finished record.
  var record: UnsafeMutableRawBufferPointer { unsafe .init(rebasing: bytes[..<count]) }

  /// Begins a record with empty slots.
  func begin(size: Int, layout: UInt64) {
    count = size
    unsafe bytes.baseAddress!.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    store(layout, at: LMDBRecord.layout)
  }

  func store(_ value: some BitwiseCopyable, at offset: Int) {
    unsafe bytes.storeBytes(of: value, toByteOffset: offset, as: type(of: value))
  }

  /// Copies bytes into a fixed slot.
  func copy(_ source: UnsafeRawBufferPointer, at offset: Int) {
    unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]).copyMemory(from: source)
  }

  /// Appends the bytes of a string, and stores their offset and length in its slot.
  func append(_ source: UnsafeRawBufferPointer, slot: Int) {
    unsafe precondition(count + source.count + 8 <= bytes.count)
    unsafe copy(source, at: count)
    store(UInt32(count), at: slot)
    store(UInt32(source.count), at: slot + 4)
    count += source.count
  }

  func append(_ string: String, slot: Int) {
    var string = string
    string.withUTF8 { unsafe append(UnsafeRawBufferPointer($0), slot: slot) }
  }

  /// Pads the record to eight bytes.
  func end() {
    while count % 8 != 0 {
      unsafe bytes[count] = 0
      count += 1
    }
  }

  /// Copies a record into the buffer.
  func copy(_ record: LMDBRecordView) {
    unsafe copy(record.bytes, at: 0)
    unsafe count = record.bytes.count
  }

  /// Encodes a person as a record of version 1.
  func encode(_ person: PersonValues) {
    begin(size: LMDBRecord.sizeOfVersion1, layout: 1)
    store(Int64(person.id), at: LMDBRecord.id)
    store(Int64(person.age), at: LMDBRecord.age)
    store(person.score, at: LMDBRecord.score)
    store(person.created.timeIntervalSinceReferenceDate, at: LMDBRecord.created)
    store(UInt8(person.isActive ? 1 : 0), at: LMDBRecord.isActive)
    unsafe person.avatar.withUnsafeBytes { unsafe copy($0, at: LMDBRecord.avatar) }
    append(person.firstName, slot: LMDBRecord.firstName)
    append(person.lastName, slot: LMDBRecord.lastName)
    append(person.email, slot: LMDBRecord.mail)
    end()
  }

  /// Encodes the key of an email in its index: the text, a zero, and the ID.
  func encodeEmail(_ email: String, of id: UInt64? = nil) {
    count = 0
    append(email)
    append(UInt8(0))
    if let id { append(id.bigEndian) }
  }

  /// Encodes the key of a link in the table of incoming links.
  func encodeLink(from source: UInt64, to target: UInt64) {
    count = 0
    append(target.bigEndian)
    append(source.bigEndian)
  }

  private func append(_ value: some BitwiseCopyable) {
    store(value, at: count)
    count += MemoryLayout.size(ofValue: value)
  }

  private func append(_ text: String) {
    var text = text
    text.withUTF8 {
      unsafe copy(UnsafeRawBufferPointer($0), at: count)
      count += $0.count
    }
  }

  /// Converts a record of version 1 to version 2.
  func migrate(_ old: LMDBRecordView) {
    begin(size: LMDBRecord.sizeOfVersion2, layout: 2)
    let fixed = LMDBRecord.id..<LMDBRecord.firstName
    unsafe copy(UnsafeRawBufferPointer(rebasing: old.bytes[fixed]), at: LMDBRecord.id)
    unsafe append(old.stringBytes(LMDBRecord.firstName), slot: LMDBRecord.firstName)
    unsafe append(old.stringBytes(LMDBRecord.lastName), slot: LMDBRecord.lastName)
    unsafe append(old.stringBytes(LMDBRecord.mail), slot: LMDBRecord.mail)
    let first = old.string(LMDBRecord.firstName)
    let last = old.string(LMDBRecord.lastName)
    append(first + " " + last, slot: LMDBRecord.fullName)
    let age = old.load(Int64.self, at: LMDBRecord.age)
    append(String(age), slot: LMDBRecord.age)
    store(Double(age) / 2, at: LMDBRecord.score)
    end()
  }
}

/// A record in its page.
@safe
struct LMDBRecordView {
  let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = unsafe bytes }

  func load<Value: BitwiseCopyable>(_: Value.Type, at offset: Int) -> Value {
    unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Value.self)
  }

  func stringBytes(_ slot: Int) -> UnsafeRawBufferPointer {
    let start = Int(load(UInt32.self, at: slot))
    let count = Int(load(UInt32.self, at: slot + 4))
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
  }

  func string(_ slot: Int) -> String {
    unsafe String(decoding: stringBytes(slot), as: UTF8.self)
  }
}
