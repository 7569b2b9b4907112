import { createHash } from 'node:crypto'
import { sha256 } from '@noble/hashes/sha2.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '#tests/support/deep.ts'
import { minedHeader } from '#tests/support/stand-ins/ots-calendar.ts'
import { bytesOfHex, hexOfBytes, joined } from './bytes.ts'
import { readHeader, whyNotIn, checkProof, readHeaderInput } from './check-proof.ts'
import {
  merkleTree,
  after,
  applied,
  merged,
  pathsOf,
  ProofFault,
  readProofFile,
  readTimestamp,
  writeProofFile,
  writeTimestamp,
  type Timestamp,
} from './ots.ts'
import { eventBytes, idOf, type SignedEvent } from './record-event.ts'

const hex = (text: string): Uint8Array => bytesOfHex(text)!
const text = (of: string): Uint8Array => new TextEncoder().encode(of)

const HELLO = text('Hello World!\n')
/** `Hello World!` with a new line, stamped in 2015: the first example of the reference implementation. */
const HELLO_PROOF = hex(
  '004f70656e54696d657374616d7073000050726f6f6600bf89e2e884e89294010803ba204e50d126e4674c005e04d82e84c21366780af1f43bd54a37816b6ab34003f1c8010100000001e482f9d32ecc3ba657b69d898010857b54457a90497982ff56f97c4ec58e6f98010000006b483045022100b253add1d1cf90844338a475a04ff13fc9e7bd242b07762dea07f5608b2de367022000b268ca9c3342b3769cdd062891317cdcef87aac310b6855e9d93898ebbe8ec0121020d8e4d107d2b339b0050efdd4b4a09245aa056048f125396374ea6a2ab0709c6ffffffff026533e605000000001976a9140bf057d40fbba6744862515f5b55a2310de5772f88aca0860100000000001976a914f00688ac000000000808f120a987f716c533913c314c78e35d35884cac943fa42cac49d2b2c69f4003f85f880808f120dec55b3487e1e3f722a49b55a7783215862785f4a3acb392846019f71dc64a9d0808f120b2ca18f485e080478e025dab3d464b416c0e1ecb6629c9aefce8c8214d0424320808f02011b0e90661196ff4b0813c3eda141bab5e91604837bdf7a0c9df37db0e3a11980808f020c34bc1a4a1093ffd148c016b1e664742914e939efabe4d3d356515914b26d9e20808f020c3e6e7c38c69f6af24c2be34ebac48257ede61ec0a21b9535e4443277be306460808f1200798bf8606e00024e5d5d54bf0c960f629dfb9dad69157455b6f2652c0e8de810808f0203f9ada6d60baa244006bb0aad51448ad2fafb9d4b6487a0999cff26b91f0f5360808f120c703019e959a8dd3faef7489bb328ba485574758e7091f01464eb65872c975c80808f020cbfefff513ff84b915e3fed6f9d799676630f8364ea2a6c7557fad94a5b5d7880808f1200be23709859913babd4460bbddf8ed213e7c8773a4b1face30f8acfdf093b7050808000588960d73d7190103f7ef15',
)
/** A file stamped in 2018, its proof upgraded by one of four calendars. */
const FIVE_WAYS = hex(
  '004f70656e54696d657374616d7073000050726f6f6600bf89e2e884e892940108397a00836979837319bdd350aa93bcc2798e94e08ab00f32f355e5ebe7837c2bf0106a6c63dbd77f703dd4a6f839c3de512908fff01008a28ede8508fec9111dd074af0e46b308f1202162baaecd150cc34dd97efbf43490a6783fb63ebcc09859af5af54e14999c9708f1045affdc4ef008f6548d220342e1130083dfe30d2ef90c8e2c2b68747470733a2f2f626f622e6274632e63616c656e6461722e6f70656e74696d657374616d70732e6f7267fff01038e071b94587476d4192ebf63af99cd208f12063925378680fe4de794726c25dc64ab5c5a2266dad2d351ed52e4f5899b6a5f008f1045affdc4ef008b93040fd063558490083dfe30d2ef90c8e2e2d68747470733a2f2f616c6963652e6274632e63616c656e6461722e6f70656e74696d657374616d70732e6f7267fff0104640c88c0564adb0216beca87cb7b5eb08f02070d000c3bfc5bc178bb6950b4b73e262f8f5c3a551fc657b31ec30dc9ca237f108f1045affdc4ff008447dd8439ad3a8f6ff0083dfe30d2ef90c8e232268747470733a2f2f6274632e63616c656e6461722e636174616c6c6178792e636f6d08f12045204a97bf23771ae6c8a86aaf4a30493f9108f98a42b12882e9c95ff2924d5808f1207b82ac333f2d5ddc99be1c329242c9ea9cf4f6252c67e29ed31318f3f17710c108f120ef6f7590be31d912a76756b59370582ce1b7892aa5664979c44d7e62a25345b608f020bf4e802701694b6603b98c6436df8287a11ce8b2cd683b6b4e1db6fa5c7e24f308f0209dd77039664b0aea3bfe2fb9c173cca64fd9296410aacaae05740e8a50f6efca08f12005539385383d3d8f12d2ff37888f23902cff68b5571c762fdf476c5a9264416108f020e285b5cf4c056f807225b63369802d083fda79e1cfa31db4e784eca8998e812908f020499f6fea3fd89598bb7101d35a557de10ed956683912c9c52b901a4858dad25f08f0204ac767c74f54896aa252d141f38703784aec97bec0b9d5f9f18b35acb5454ca908f020018ec839b0b3309bdd72df9ead10b3473311ec7c26717892e8f0df73f9d6d07508f171010000000140ffa105d591ac2eaa0c697fb3ab91993cb04569c3dc42a96083c4a2fe73f5a900000000171600146d038a704847cb06ef02e24cba3ac0c02f2995f6fdffffff029fd027000000000017a91459608cf3473f09f572990de15b04a33e6d5cd9b5870000000000000000226a20f00463fc07000808f120c35a06d3449ef59c193e038595123126d927905d2a788846215ccb06ea40c3780808f0208362d01e06044641b811a511c81a99c05561d61930621f18c16196aecb2d26530808f1200733685e4f961a01e9a5522043372d53dd18999c4fed1a06200711dcf7f031760808f120c64c00e35b402083d499c8481d89388bd5016a59f2a601c0917144f6be6fa7ee0808f12030b80dc1aab3e0868799153ca10ec3aab608e863dddd7c15e3b131a02a3e3c430808f020fa8ce6fbdda4e688875775a7de90f32232c65fe3c2772635fa15369de5715b7f0808f020c88509c4d13074f3471c0ca825d07f19398fc57a4d17d1013511756178176a1b0808f12004c7920f2c2086edcacf211d4bb4ab33dc9aa05847471744538ad389c43b441b0808f02041e173ce42b5d007f0f8754663fa9e54bff9824101e43a0689d7e6fda5ef87200808f120c7aa792c76d7ebfdad654eb7ca0fa9579a4c9a8898f875084192f7cb9e232bc40808f120f41eb94e9652e44048077727ee9f6708b4d65917c7db0913157fd68f94c5e76c0808000588960d73d7190103e4f81ff010908f680a2c0837bb651945656a7ac71a08f020bb8e81cb1a4204d116325b287455f7c6b5041d496025610ac1f834cfbb8f735808f1045affdc4ef008384e62331c9309120083dfe30d2ef90c8e292868747470733a2f2f66696e6e65792e63616c656e6461722e657465726e69747977616c6c2e636f6d',
)
/** Block 125552, which explanations of mining use. */
const BLOCK_125552 = hex(
  '0100000081cd02ab7e569e8bcd9317e2fe99f2de44d49ab2b8851ba4a308000000000000e320b6c2fffc8d750423db8b1eb942ae710e951ed797f7affc8892b0f1fc122bc7f5d74df2b9441a42a14695',
)

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })
const some = <T>(of: fc.Arbitrary<T>) => fc.array(of, { minLength: 1, maxLength: 3 })
const attestation = fc.oneof(
  fc.record({ kind: fc.constant('bitcoin' as const), height: fc.nat(900_000) }),
  fc
    .stringMatching(/^[a-z0-9./:-]{1,40}$/)
    .map((calendar) => ({ kind: 'pending' as const, calendar })),
)
const step = fc.oneof(
  fc.constant({ kind: 'sha256' as const }),
  fc.record({
    kind: fc.constantFrom('append' as const, 'prepend' as const),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }),
  }),
)
const timestamps = fc.letrec<{ timestamp: Timestamp }>((tie) => ({
  timestamp: fc.oneof(
    { depthSize: 'small' },
    fc.record({ attestations: some(attestation), steps: fc.constant([]) }),
    fc.record({
      attestations: fc.constant([]),
      steps: some(fc.record({ step, next: tie('timestamp') })),
    }),
  ),
})).timestamp

/** An attestation in block 1. */
const BITCOIN_1 = '000588960d73d719010101'

describe('the format', () => {
  it('reads files of the reference implementation, and finds the known block', () => {
    const { digest, timestamp } = readProofFile(FIVE_WAYS)
    expect(hexOfBytes(digest)).toMatch(/^397a0083/)
    expect(pathsOf(timestamp, digest).map(({ attestation }) => attestation)).toEqual([
      { kind: 'pending', calendar: 'https://bob.btc.calendar.opentimestamps.org' },
      { kind: 'pending', calendar: 'https://alice.btc.calendar.opentimestamps.org' },
      { kind: 'pending', calendar: 'https://btc.calendar.catallaxy.com' },
      { kind: 'bitcoin', height: 523_364 },
      { kind: 'pending', calendar: 'https://finney.calendar.eternitywall.com' },
    ])
    expect(writeProofFile({ digest, timestamp })).toEqual(FIVE_WAYS)
    // Its first step is RIPEMD-160, which no calendar uses any more; the rest is read here.
    expect(() => readProofFile(HELLO_PROOF)).toThrow('0x03')
    const digested = createHash('sha256').update('Hello World!\n').digest()
    const message = new Uint8Array(createHash('ripemd160').update(digested).digest())
    const [path] = pathsOf(readTimestamp(HELLO_PROOF.subarray(66), message), message)
    expect(path?.attestation).toEqual({ kind: 'bitcoin', height: 358_391 })
    expect(hexOfBytes(path?.message ?? digest)).toBe(
      '007ee445d23ad061af4a36b809501fab1ac4f2d7e7a739817dd0cbb7ec661b8a',
    )
  })

  it('reads its own output, and rejects anything longer or shorter', () => {
    fc.assert(
      fc.property(timestamps, bytes32, (timestamp, digest) => {
        const file = writeProofFile({ digest, timestamp })
        expect(readProofFile(file)).toEqual({ digest, timestamp })
        expect(() => readProofFile(joined(file, Uint8Array.of(0)))).toThrow(ProofFault)
        expect(() => readProofFile(file.subarray(0, -1))).toThrow(ProofFault)
      }),
    )
  })

  it('turns any bytes into a proof or a message', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        let fault: unknown = null
        try {
          readTimestamp(bytes, new Uint8Array(32))
        } catch (error) {
          fault = error
        }
        expect(fault === null || fault instanceof ProofFault).toBe(true)
      }),
    )
  })

  it.each([
    ['thousands of steps in a row', '08'.repeat(5_000) + '000588960d73d7190101', 'in a row'],
    ['thousands of forks', `ff08${BITCOIN_1}`.repeat(3_000) + BITCOIN_1, 'more steps than'],
    ['a length of 2 GB', 'f0ffffffff07', 'too large'],
    ['a length without an end', 'f08080808080808080', 'too long'],
    ['a length in more bytes than it needs', 'f0810041', 'is padded'],
    ['a step that adds nothing', 'f000', 'adds nothing'],
    ['messages that double', `f0ff1f${'00'.repeat(4_095)}`.repeat(2), 'yields too long a message'],
    ['a hash that is not used any more', `03${BITCOIN_1}`, '0x03'],
    ['nothing', '', 'cut off'],
    ['a calendar that is not an address', '0083dfe30d2ef90c8e05043c613e20', 'not an address'],
  ])('refuses %s', (_, bytes, message) => {
    expect(() => readTimestamp(hex(bytes), new Uint8Array(32))).toThrow(message)
  })

  it('keeps every path when merging timestamps', () => {
    fc.assert(
      fc.property(timestamps, timestamps, bytes32, (a, b, digest) => {
        const ways = (of: Timestamp) => pathsOf(of, digest).map((path) => JSON.stringify(path))
        expect(new Set(ways(merged([a, b])))).toEqual(new Set([...ways(a), ...ways(b)]))
      }),
    )
  })
})

it('every leaf of the tree leads to its root, and to no other', () => {
  fc.assert(
    fc.property(fc.array(bytes32, { minLength: 1, maxLength: 40 }), (leaves) => {
      const { root, wayOf } = merkleTree(leaves)
      for (const [place, leaf] of leaves.entries()) {
        const end = wayOf(place).reduce<Uint8Array>((at, step) => applied(step, at), leaf)
        expect(end).toEqual(root)
      }
      // With its last leaf repeated, it is another list and has another root.
      expect(merkleTree([...leaves, leaves.at(-1)!]).root).not.toEqual(root)
    }),
  )
})

it('the tree distinguishes nodes from leaves, and orders from each other', () => {
  const [a, b, c] = [sha256(text('a')), sha256(text('b')), sha256(text('c'))]
  const node = merkleTree([a, b]).root
  expect(node).not.toEqual(sha256(joined(a, b)))
  expect(merkleTree([a, b, c]).root).toEqual(merkleTree([node, c]).root)
  expect(merkleTree([b, a]).root).not.toEqual(node)
  // A leaf is the hash of an event, and no event begins as a node does.
  expect(eventBytes(EVENT)[0]).toBe('{'.charCodeAt(0))
})

describe('headers', () => {
  it('are read as in Bitcoin', () => {
    const header = readHeader(BLOCK_125552)
    const hash = '00000000000000001e8d6829a8a21adc5d38d0a473b144b6765798e61f98bd1d'
    expect(header).toMatchObject({ hash, time: 1_305_998_791, isMined: true })
    expect(hexOfBytes(header?.merkleRoot.toReversed() ?? HELLO)).toBe(
      '2b12fcf1b09288fcaff797d71e950e71ae42b91e8bdb2304758dfcffc2b620e3',
    )
    // A difficulty of 244,112, each of which takes 2^32 tries.
    expect(header?.workBits).toBeCloseTo(32 + Math.log2(244_112.487), 3)
    expect(header && whyNotIn(header, header.merkleRoot)).toContain('too little work')
    expect(header && whyNotIn(header, header.merkleRoot, 49)).toBeNull()
  })

  it('are rejected with any bit changed', () => {
    const root = readHeader(BLOCK_125552)?.merkleRoot ?? HELLO
    for (let bit = 0; bit < 640; bit += 1) {
      const changed = readHeader(flipped(BLOCK_125552, bit))
      expect([bit, changed && whyNotIn(changed, root, 49)]).not.toEqual([bit, null])
    }
    expect(readHeader(BLOCK_125552.subarray(1))).toBeNull()
  })

  it('are read with and without their height', () => {
    const pasted = hexOfBytes(BLOCK_125552)
    const bytes = BLOCK_125552
    expect(readHeaderInput(` 125552: ${pasted}\n`)).toEqual({ height: 125_552, bytes })
    expect(readHeaderInput(pasted.toUpperCase())).toEqual({ height: null, bytes })
    for (const bad of ['', 'x', pasted.slice(1), `${pasted}00`, `-1:${pasted}`]) {
      expect(readHeaderInput(bad)).toBeNull()
    }
  })
})

const UNSIGNED = {
  pubkey: '67'.repeat(32),
  created_at: 1_700_000_000,
  kind: 36_613,
  tags: [['d', 'one']],
  content: '{"v":1,"said":"Grüße \ufffd"}',
}
const EVENT: SignedEvent = { id: idOf(UNSIGNED), ...UNSIGNED, sig: 'ab'.repeat(64) }

describe('a check', () => {
  // An event of a day with five events, attested in block 900,000.
  const file = eventBytes(EVENT)
  const leaves = [1, 2, 3, 4, 5].map((one) => sha256(one === 3 ? file : Uint8Array.of(one)))
  const { root, wayOf } = merkleTree(leaves)
  const calendar = [{ kind: 'append', bytes: text('calendar') }, { kind: 'sha256' }] as const
  const timestamp = after(calendar, attested({ kind: 'bitcoin', height: 900_000 }))
  const proof = proofOf(file, after(wayOf(2), timestamp))
  const hashes = leaves.map((leaf) => ({ sha256: hexOfBytes(leaf) }))
  const day = text(JSON.stringify({ root: hexOfBytes(root), leaves: hashes }))
  const dayProof = writeProofFile({ digest: root, timestamp })
  const header = { height: 900_000, bytes: minedHeader(pathsOf(timestamp, root)[0]!.message) }
  const pendingProof = proofOf(
    HELLO,
    attested({ kind: 'pending', calendar: 'https://calendar.example.org' }),
  )
  const madeUp = eventBytes({ ...EVENT, id: '00'.repeat(32) })

  it('proves an event, and a day, by the header of the block', () => {
    for (const [what, of] of [
      [file, proof],
      [day, dayProof],
    ] as const) {
      expect(checkProof(what, of, [], 0).outcome).toBe('open')
      const steps = [{ is: 'good' }, { is: 'good', title: 'Block 900000' }]
      expect(checkProof(what, of, [header], 0)).toMatchObject({ outcome: 'proved', steps })
      // Not by a chain that anyone could mine at home.
      expect(checkProof(what, of, [header]).outcome).toBe('wrong')
    }
    // As a relay sends it: the same event with its keys in another order.
    const { sig, ...rest } = EVENT
    const sent = text(JSON.stringify({ sig, ...rest }, null, 2))
    expect(checkProof(sent, proof, [header], 0).outcome).toBe('proved')
  })

  it('does not read invalid UTF-8 as the replacement character of the event', () => {
    const invalid = hex(hexOfBytes(file).replace('efbfbd', 'ff'))
    expect(invalid).toHaveLength(file.length - 2)
    expect(checkProof(invalid, proof, [header], 0).outcome).toBe('wrong')
  })

  it('detects a changed bit in the event, the proof, the day and the header', () => {
    const all = { file, proof, day, dayProof, header: header.bytes }
    for (const name of ['file', 'proof', 'day', 'dayProof', 'header'] as const) {
      // On a test chain every other hash is good enough: only the header's Merkle root is checked.
      const [from, to] = name === 'header' ? [36, 68] : [0, all[name].length]
      for (let bit = 8 * from; bit < 8 * to; bit += rounds(7, 1)) {
        const changed = { ...all, [name]: flipped(all[name], bit) }
        const isDay = name === 'day' || name === 'dayProof'
        const of = isDay
          ? ([changed.day, changed.dayProof] as const)
          : ([changed.file, changed.proof] as const)
        const { outcome } = checkProof(...of, [{ height: 900_000, bytes: changed.header }], 0)
        expect([name, bit, outcome]).not.toEqual([name, bit, 'proved'])
      }
    }
  })

  const half = { height: null, bytes: header.bytes.subarray(40) }
  it.each([
    [eventBytes({ ...EVENT, content: '' }), proof, [header], 'The event', 'a byte was changed'],
    [
      madeUp,
      proofOf(madeUp, attested({ kind: 'bitcoin', height: 1 })),
      [],
      'The event',
      'does not match its content',
    ],
    [file, file, [], 'The proof', 'not a proof of OpenTimestamps'],
    [file, proof, [{ ...header, bytes: BLOCK_125552 }], 'Block 900000', 'another block'],
    [file, proof, [{ ...header, height: 899_999 }], 'The header', 'does not name block 899999'],
    [file, proof, [half], 'The header', '80 bytes; this one has 40'],
    [HELLO, pendingProof, [header], 'The header', 'names no block yet'],
  ])('reports a fault of %#', (what, of, headers, title, message) => {
    const { outcome, steps } = checkProof(what, of, headers, 0)
    const bad = steps.find(({ is }) => is === 'bad')
    expect([outcome, bad?.title]).toEqual(['wrong', title])
    expect(bad?.text).toContain(message)
  })

  it('does not accept an unknown attestation or a promise as proof', () => {
    const unknown = { kind: 'unknown', tag: '0102030405060708', payload: '00' } as const
    const { outcome, steps } = checkProof(HELLO, proofOf(HELLO, attested(unknown)), [])
    expect([outcome, steps[1]?.text]).toEqual(['open', expect.stringContaining('unknown kind')])
    expect(checkProof(HELLO, pendingProof, []).outcome).toBe('open')
    const old = checkProof(HELLO, HELLO_PROOF, [])
    expect([old.outcome, old.steps]).toMatchObject(['wrong', [{ is: 'bad' }]])
    expect(old.steps[0]?.text).toContain('0x03')
  })
})

function attested(attestation: Timestamp['attestations'][number]): Timestamp {
  return { attestations: [attestation], steps: [] }
}

function proofOf(what: Uint8Array, timestamp: Timestamp): Uint8Array {
  return writeProofFile({ digest: sha256(what), timestamp })
}

function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  const copy = bytes.slice()
  const at = Math.floor(bit / 8)
  copy[at] = (copy[at] ?? 0) ^ (1 << (bit % 8))
  return copy
}

it('writes proofs that calendars accept', () => {
  const bytes = writeTimestamp(attested({ kind: 'bitcoin', height: 358_391 }))
  expect(hexOfBytes(bytes)).toBe('000588960d73d7190103f7ef15')
})
