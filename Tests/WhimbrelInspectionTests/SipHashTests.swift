import Testing
import WhimbrelInspection

struct SipHashTests {
  /// The key of the authors' vectors: the bytes 0 to 15.
  private let key = SipHash.Key(0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908)

  @Test(
    arguments: [
      (0, 0x726f_db47_dd0e_0e31), (1, 0x74f8_39c5_93dc_67fd), (2, 0x0d6c_8009_d9a9_4f5a),
      (3, 0x8567_6696_d7fb_7e2d), (7, 0xab02_00f5_8b01_d137), (8, 0x93f5_f579_9a93_2462),
      (15, 0xa129_ca61_49be_45e5),
    ] as [(UInt8, UInt64)])
  func `the hash is that of the authors' vectors`(count: UInt8, expected: UInt64) {
    #expect(SipHash.hash(0..<count, key) == expected)
  }

  @Test(
    arguments: [
      (0, 0xe6a8_25ba_047f_81a3, 0x9302_55c7_1472_f66d),
      (1, 0x44af_996b_d8c1_87da, 0x45fc_229b_1159_7634),
      (2, 0xc75d_a4a4_8d22_7781, 0xe4ff_0af6_de8b_a3fc),
    ] as [(UInt8, UInt64, UInt64)])
  func `the wide hash is that of the authors' vectors`(
    count: UInt8, first: UInt64, second: UInt64
  ) {
    #expect(SipHash.wideHash(0..<count, key) == SipHash.Key(first, second))
  }

  @Test func `words are hashed as their bytes`() {
    var hash = SipHash(key)
    hash.append(0x0706_0504_0302_0100)
    #expect(hash.result() == SipHash.hash(0..<8 as Range<UInt8>, key))
  }
}
