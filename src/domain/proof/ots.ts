import { sha256 } from '@noble/hashes/sha2.js'
import { areSame, bytesOfHex, hexOfBytes, joined } from './bytes.ts'

/**
 * An OpenTimestamps timestamp: operations on a message, and attestations of when the result existed. Only operations
 * needed to reach Bitcoin today are supported: append, prepend and SHA-256. Older proofs with other hashes are rejected
 * with an explanation.
 *
 * @see https://github.com/opentimestamps/python-opentimestamps the reference, including its limits
 */
export type Timestamp = {
  readonly attestations: readonly Attestation[]
  readonly steps: readonly { readonly step: Step; readonly next: Timestamp }[]
}

export type Step =
  | { readonly kind: 'append' | 'prepend'; readonly bytes: Uint8Array }
  | { readonly kind: 'sha256' }

export type Attestation =
  /** A calendar's promise to include the message in a block. */
  | { readonly kind: 'pending'; readonly calendar: string }
  /** The message is the Merkle root of the block at this height. */
  | { readonly kind: 'bitcoin'; readonly height: number }
  /** An attestation of another chain or a later version, hex. */
  | { readonly kind: 'unknown'; readonly tag: string; readonly payload: string }

export class ProofFault extends Error {
  override readonly name = 'ProofFault'
}

/** `\0OpenTimestamps\0\0Proof\0`, eight magic bytes, and the version. */
const MAGIC = known('004f70656e54696d657374616d7073000050726f6f6600bf89e2e884e8929401')
const SHA256_TAG = 0x08
const APPEND_TAG = 0xf0
const PREPEND_TAG = 0xf1
const ATTESTATION_TAG = 0x00
/** Precedes every branch except the last. */
const FORK_TAG = 0xff
const PENDING = known('83dfe30d2ef90c8e')
const BITCOIN = known('0588960d73d71901')

/** Maximum size of a proof; calendars' proofs are at most a tenth of this. */
const MOST_PROOF_BYTES = 100_000
const MOST_DEPTH = 256
const MOST_STEPS = 2_000
const MOST_MESSAGE = 4_096
const MOST_PAYLOAD = 8_192
const MOST_ADDRESS = 1_000
const ADDRESS = /^[A-Za-z0-9._/:-]+$/
/** Bitcoin will reach this height in twenty thousand years. */
const MOST_HEIGHT = 1_000_000_000

export type ProofFile = { readonly digest: Uint8Array; readonly timestamp: Timestamp }

/** @throws ProofFault */
export function readProofFile(bytes: Uint8Array): ProofFile {
  const reader = readerOf(bytes)
  if (bytes.length < MAGIC.length || !areSame(bytes.subarray(0, MAGIC.length), MAGIC)) {
    throw new ProofFault('This is not a proof of OpenTimestamps (.ots).')
  }
  reader.take(MAGIC.length)
  if (reader.byte() !== SHA256_TAG) {
    throw new ProofFault('The proof uses a hash other than SHA-256.')
  }
  const digest = reader.take(32)
  const timestamp = readAll(reader, digest)
  return { digest, timestamp }
}

export function writeProofFile({ digest, timestamp }: ProofFile): Uint8Array {
  return joined(MAGIC, Uint8Array.of(SHA256_TAG), digest, writeTimestamp(timestamp))
}

/** @param message the submitted message @param mostDepth lower for a part of a longer proof @throws ProofFault */
export function readTimestamp(
  bytes: Uint8Array,
  message: Uint8Array,
  mostDepth = MOST_DEPTH,
): Timestamp {
  return readAll(readerOf(bytes), message, mostDepth)
}

function readAll(reader: Reader, message: Uint8Array, mostDepth = MOST_DEPTH): Timestamp {
  const budget = { depth: mostDepth, count: { steps: 0 } }
  const timestamp = readNode(reader, message.length, budget)
  if (reader.left() > 0) throw new ProofFault('There is more data after the end of the proof.')
  return timestamp
}

type Reader = {
  readonly byte: () => number
  readonly take: (length: number) => Uint8Array
  readonly left: () => number
}

function readerOf(bytes: Uint8Array): Reader {
  if (bytes.length > MOST_PROOF_BYTES) throw new ProofFault('The proof is too long.')
  let at = 0
  const take = (length: number): Uint8Array => {
    if (length > bytes.length - at) throw new ProofFault('The proof is cut off.')
    at += length
    return bytes.slice(at - length, at)
  }
  return { take, byte: () => take(1)[0] ?? 0, left: () => bytes.length - at }
}

/** @param length of the message so far @param budget remaining steps, in depth and in total */
function readNode(
  reader: Reader,
  length: number,
  { depth, count }: { readonly depth: number; readonly count: { steps: number } },
): Timestamp {
  if (depth < 0) throw new ProofFault('The proof has more steps in a row than any real one.')
  const attestations: Attestation[] = []
  const steps: { step: Step; next: Timestamp }[] = []
  const one = (tag: number): void => {
    count.steps += 1
    if (count.steps > MOST_STEPS)
      throw new ProofFault('The proof has more steps than any real one.')
    if (tag === ATTESTATION_TAG) {
      attestations.push(readAttestation(reader))
      return
    }
    const step = readStep(reader, tag)
    const made = step.kind === 'sha256' ? 32 : length + step.bytes.length
    if (made > MOST_MESSAGE) throw new ProofFault('A step of the proof yields too long a message.')
    steps.push({ step, next: readNode(reader, made, { depth: depth - 1, count }) })
  }
  let tag = reader.byte()
  for (; tag === FORK_TAG; tag = reader.byte()) one(reader.byte())
  one(tag)
  return { attestations, steps }
}

function readStep(reader: Reader, tag: number): Step {
  if (tag === SHA256_TAG) return { kind: 'sha256' }
  if (tag !== APPEND_TAG && tag !== PREPEND_TAG) {
    throw new ProofFault(
      `The proof has a step that is not known here (0x${tag.toString(16).padStart(2, '0')}).`,
    )
  }
  const bytes = reader.take(readNumber(reader, MOST_MESSAGE))
  if (bytes.length === 0) throw new ProofFault('A step of the proof adds nothing.')
  return { kind: tag === APPEND_TAG ? 'append' : 'prepend', bytes }
}

function readAttestation(reader: Reader): Attestation {
  const tag = reader.take(8)
  const payload = reader.take(readNumber(reader, MOST_PAYLOAD))
  const inner = readerOf(payload)
  if (areSame(tag, BITCOIN)) {
    const height = readNumber(inner, MOST_HEIGHT)
    if (inner.left() > 0) throw new ProofFault('The proof names a block by more than its height.')
    return { kind: 'bitcoin', height }
  }
  if (areSame(tag, PENDING)) {
    const address = inner.take(readNumber(inner, MOST_ADDRESS))
    const calendar = String.fromCodePoint(...address)
    if (inner.left() > 0 || !ADDRESS.test(calendar)) {
      throw new ProofFault('The proof names a calendar by something that is not an address.')
    }
    return { kind: 'pending', calendar }
  }
  return { kind: 'unknown', tag: hexOfBytes(tag), payload: hexOfBytes(payload) }
}

/** Seven bits per byte, lowest first; only the shortest form is valid, so that each proof has one encoding. */
function readNumber(reader: Reader, most: number): number {
  let value = 0
  for (let factor = 1; ; factor *= 128) {
    const byte = reader.byte()
    value += (byte & 0x7f) * factor
    if (value > most) throw new ProofFault('A number in the proof is too large.')
    if (byte < 0x80) {
      if (byte === 0 && factor > 1) throw new ProofFault('A number in the proof is padded.')
      return value
    }
    if (factor > most) throw new ProofFault('A number in the proof is too long.')
  }
}

/** In the reference's order: attestations before steps, each but the last preceded by `FORK_TAG`. */
export function writeTimestamp({ attestations, steps }: Timestamp): Uint8Array {
  const parts = [
    ...attestations.map(writeAttestation),
    ...steps.map(({ step, next }) => joined(writeStep(step), writeTimestamp(next))),
  ]
  if (parts.length === 0) throw new Error('the timestamp has no attestation')
  return joined(
    ...parts.map((part, i) =>
      i < parts.length - 1 ? joined(Uint8Array.of(FORK_TAG), part) : part,
    ),
  )
}

function writeStep(step: Step): Uint8Array {
  if (step.kind === 'sha256') return Uint8Array.of(SHA256_TAG)
  const tag = step.kind === 'append' ? APPEND_TAG : PREPEND_TAG
  return joined(Uint8Array.of(tag), withLength(step.bytes))
}

function writeAttestation(one: Attestation): Uint8Array {
  const [tag, payload] =
    one.kind === 'bitcoin'
      ? [BITCOIN, writeNumber(one.height)]
      : one.kind === 'pending'
        ? [
            PENDING,
            withLength(Uint8Array.from(one.calendar, (letter) => letter.codePointAt(0) ?? 0)),
          ]
        : [known(one.tag), known(one.payload)]
  return joined(Uint8Array.of(ATTESTATION_TAG), tag, withLength(payload))
}

function withLength(bytes: Uint8Array): Uint8Array {
  return joined(writeNumber(bytes.length), bytes)
}

function writeNumber(value: number): Uint8Array {
  const bytes: number[] = []
  let left = value
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) + 128)
  return Uint8Array.from([...bytes, left])
}

export function applied(step: Step, message: Uint8Array): Uint8Array {
  if (step.kind === 'sha256') return sha256(message)
  return step.kind === 'append' ? joined(message, step.bytes) : joined(step.bytes, message)
}

export type Path = {
  readonly steps: readonly Step[]
  /** The attested message, after all steps. */
  readonly message: Uint8Array
  readonly attestation: Attestation
}

export function pathsOf(
  timestamp: Timestamp,
  message: Uint8Array,
  before: readonly Step[] = [],
): Path[] {
  return [
    ...timestamp.attestations.map((attestation) => ({ steps: before, message, attestation })),
    ...timestamp.steps.flatMap(({ step, next }) =>
      pathsOf(next, applied(step, message), [...before, step]),
    ),
  ]
}

export function after(steps: readonly Step[], timestamp: Timestamp): Timestamp {
  return steps.reduceRight<Timestamp>(
    (next, step) => ({ attestations: [], steps: [{ step, next }] }),
    timestamp,
  )
}

/** Merges timestamps of the same message; common prefixes are joined. */
export function merged(timestamps: readonly Timestamp[]): Timestamp {
  const attestations = new Map<string, Attestation>()
  const groups = new Map<string, { readonly step: Step; readonly next: Timestamp[] }>()
  for (const one of timestamps) {
    for (const each of one.attestations) attestations.set(hexOfBytes(writeAttestation(each)), each)
    for (const { step, next } of one.steps) {
      const key = hexOfBytes(writeStep(step))
      const group = groups.get(key) ?? { step, next: [] }
      group.next.push(next)
      groups.set(key, group)
    }
  }
  return {
    attestations: [...attestations.values()],
    steps: [...groups.values()].map(({ step, next }) => ({ step, next: merged(next) })),
  }
}

function known(hex: string): Uint8Array {
  const bytes = bytesOfHex(hex)
  if (!bytes) throw new Error('not hex')
  return bytes
}

/** Prefix of a hashed node; a leaf is the hash of an event, which begins with `{`. */
const NODE = Uint8Array.of(1)

export type MerkleTree = ReturnType<typeof merkleTree>

/** A last node without a sibling moves up unchanged. @param leaves 32 bytes each, at least one */
export function merkleTree(leaves: readonly Uint8Array[]) {
  const levels = [leaves]
  let top = leaves
  while (top.length > 1) {
    top = above(top)
    levels.push(top)
  }
  const [root] = top
  if (!root) throw new Error('a tree without leaves')
  return {
    root,
    /** Proof steps from a leaf to the root. */
    wayOf: (place: number): Step[] => levels.flatMap((level, i) => stepAt(level, place >> i)),
  }
}

/** How a node is hashed with its sibling; empty without a sibling. */
function stepAt(level: readonly Uint8Array[], at: number): Step[] {
  const isRight = at % 2 === 1
  const other = level[isRight ? at - 1 : at + 1]
  if (!other) return []
  return isRight
    ? [{ kind: 'prepend', bytes: joined(NODE, other) }, { kind: 'sha256' }]
    : [{ kind: 'append', bytes: other }, { kind: 'prepend', bytes: NODE }, { kind: 'sha256' }]
}

function above(level: readonly Uint8Array[]): Uint8Array[] {
  const next: Uint8Array[] = []
  for (let i = 0; i < level.length; i += 2) {
    const [left, right] = [level[i], level[i + 1]]
    if (left) next.push(right ? sha256(joined(NODE, left, right)) : left)
  }
  return next
}
