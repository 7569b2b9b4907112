import { sha256 } from '@noble/hashes/sha2.js'
import { areSame, bytesOfHex, hexOfBytes, textOfUtf8 } from './bytes.ts'
import { merkleTree, pathsOf, ProofFault, readProofFile, type Path, type ProofFile } from './ots.ts'
import { eventBytes, idOf, readEvent, type SignedEvent } from './record-event.ts'

type CheckStep = {
  readonly is: 'good' | 'bad' | 'open'
  readonly title: string
  readonly text: string
}

/** `open`: no fault found, but no given header proves it. */
export type CheckedProof = {
  readonly outcome: 'proved' | 'open' | 'wrong'
  readonly steps: readonly CheckStep[]
}

/** A block header from the reader, with its height if known. */
export type HeaderInput = { readonly height: number | null; readonly bytes: Uint8Array }

export const OUTCOME_TEXTS: Readonly<Record<CheckedProof['outcome'], string>> = {
  proved: 'Proved: this was on record before that block.',
  open: 'Nothing is wrong, but nothing is proved yet.',
  wrong: 'This does not fit together.',
}

/** @param file an event, or a day file with its leaves @param leastWorkBits lower only for a test chain */
export function checkProof(
  file: Uint8Array,
  proof: Uint8Array,
  headers: readonly HeaderInput[],
  leastWorkBits?: number,
): CheckedProof {
  const steps: CheckStep[] = []
  const add = (is: CheckStep['is'], title: string, text: string): void => {
    steps.push({ is, title, text })
  }
  const ended = (): CheckedProof => ({ outcome: outcomeOf(steps), steps })
  let read: ProofFile
  try {
    read = readProofFile(proof)
  } catch (error) {
    if (!(error instanceof ProofFault)) throw error
    add('bad', 'The proof', error.message)
    return ended()
  }
  const about = aboutOf(file)
  const digest = hexOfBytes(read.digest)
  if (!about.digests.some((one) => areSame(one, read.digest))) {
    const [own] = about.digests
    add(
      'bad',
      about.title,
      `Its SHA-256 is ${own ? hexOfBytes(own) : 'unknown'}, but the proof is about ${digest}: the proof of something else, or a byte was changed.`,
    )
    return ended()
  }
  if (about.fault !== null) add('bad', about.title, about.fault)
  else add('good', about.title, `${about.text} The proof is about exactly this: ${digest}.`)

  const paths = pathsOf(read.timestamp, read.digest)
  const blocks = paths.filter(({ attestation }) => attestation.kind === 'bitcoin')
  const unsaid = new Set(blocks)
  for (const header of headers) {
    const { is, text, path } = checkHeader(header, blocks, leastWorkBits)
    add(is, path ? titleOf(path) : 'The header', text)
    if (path) unsaid.delete(path)
  }
  for (const path of [...unsaid, ...paths.filter((one) => !blocks.includes(one))]) {
    add('open', titleOf(path), openText(path))
  }
  return ended()
}

function outcomeOf(steps: readonly CheckStep[]): CheckedProof['outcome'] {
  if (steps.some(({ is }) => is === 'bad')) return 'wrong'
  // The first step concerns the file itself.
  return steps.slice(1).some(({ is }) => is === 'good') ? 'proved' : 'open'
}

type About = {
  readonly title: string
  readonly text: string
  readonly digests: readonly Uint8Array[]
  /** A fault in a proof of this file. */
  readonly fault: string | null
}

function aboutOf(file: Uint8Array): About {
  const value = jsonOf(file)
  const event = readEvent(value)
  if (event) return aboutEvent(file, event)
  const day = readDay(value)
  if (day) return day
  return { title: 'The file', text: 'It is unchanged.', digests: [sha256(file)], fault: null }
}

function aboutEvent(file: Uint8Array, event: SignedEvent): About {
  const isId = idOf(event) === event.id
  return {
    title: 'The event',
    text: `It is event ${event.id} of the key ${event.pubkey}, and its id matches its content (any Nostr library checks its signature).`,
    // Relays return the same event with its keys in another order.
    digests: [sha256(file), sha256(eventBytes(event))],
    fault: isId ? null : 'Its id does not match its content.',
  }
}

/** A day file, whose Merkle root is proved. */
function readDay(value: unknown): About | null {
  if (typeof value !== 'object' || value === null || !('leaves' in value)) return null
  const { leaves } = value
  if (!Array.isArray(leaves) || leaves.length === 0) return null
  const hashes = leaves.map((leaf: unknown) => {
    const text: unknown =
      typeof leaf === 'object' && leaf !== null ? Reflect.get(leaf, 'sha256') : null
    return typeof text === 'string' ? bytesOfHex(text, 32) : null
  })
  const whole = hashes.filter((one) => one !== null)
  if (whole.length < hashes.length) return null
  const { root } = merkleTree(whole)
  const isRootRight = Reflect.get(value, 'root') === hexOfBytes(root)
  return {
    title: 'The day',
    text: `Its ${String(whole.length)} leaves yield the root that it names.`,
    digests: [root],
    fault: isRootRight ? null : 'The root that it names does not match its leaves.',
  }
}

function jsonOf(file: Uint8Array): unknown {
  try {
    return JSON.parse(textOfUtf8(file) ?? '') as unknown
  } catch {
    return null
  }
}

function checkHeader(
  { height, bytes }: HeaderInput,
  blocks: readonly Path[],
  leastWorkBits?: number,
): Pick<CheckStep, 'is' | 'text'> & { readonly path: Path | null } {
  const header = readHeader(bytes)
  if (!header) {
    const text = `A header has 80 bytes; this one has ${String(bytes.length)}.`
    return { is: 'bad', text, path: null }
  }
  const candidates = blocks.filter((one) => height === null || heightOf(one) === height)
  const [first] = candidates
  if (!first) {
    const text =
      blocks.length === 0
        ? 'The proof names no block yet, so a header says nothing about it.'
        : `The proof does not name block ${String(height)}, but ${listed(blocks)}.`
    return { is: 'bad', text, path: null }
  }
  const fitting = candidates.find(
    ({ message }) => whyNotIn(header, message, leastWorkBits) === null,
  )
  return fitting
    ? { is: 'good', text: goodText(fitting, header), path: fitting }
    : { is: 'bad', text: whyNotIn(header, first.message, leastWorkBits) ?? '', path: first }
}

function goodText({ steps }: Path, { hash, time, workBits }: BlockHeader): string {
  const made = new Date(time * 1_000).toISOString().slice(0, 16).replace('T', ' ')
  return `${String(steps.length)} steps lead to the Merkle root of this header: block ${hash}, made about ${made} UTC with some 2^${workBits.toFixed(0)} tries. That it is the block at this height is for you to compare, such as with a node of your own.`
}

function titleOf({ attestation }: Path): string {
  return attestation.kind === 'bitcoin' ? `Block ${String(attestation.height)}` : 'Calendar'
}

function openText({ attestation, message }: Path): string {
  switch (attestation.kind) {
    case 'bitcoin':
      return `The proof says that the block at height ${String(attestation.height)} has the Merkle root ${hexOfBytes(message.toReversed())} (as explorers write it). Give its header to check that.`
    case 'pending':
      return `${attestation.calendar} has accepted it and will put it into a block. Download the proof again in a day.`
    case 'unknown':
      return `An attestation of an unknown kind (${attestation.tag}).`
  }
}

function heightOf({ attestation }: Path): number | null {
  return attestation.kind === 'bitcoin' ? attestation.height : null
}

function listed(blocks: readonly Path[]): string {
  return blocks.map((one) => `block ${String(heightOf(one))}`).join(' and ')
}

/** A pasted header: 160 hex digits, optionally preceded by its height and a colon. */
export function readHeaderInput(text: string): HeaderInput | null {
  const [, height, hex = ''] = /^\s*(?:(\d{1,9})\s*:)?\s*([0-9a-f]+)\s*$/i.exec(text) ?? []
  const bytes = bytesOfHex(hex.toLowerCase())
  return bytes?.length === 80
    ? { height: height === undefined ? null : Number(height), bytes }
    : null
}

type BlockHeader = NonNullable<ReturnType<typeof readHeader>>

const LENGTH = 80
/** Every block since OpenTimestamps began (2016) took at least 2^67 tries. */
const LEAST_WORK_BITS = 64

/** The parts of a Bitcoin block header that proofs need. @returns null unless there are 80 bytes */
export function readHeader(bytes: Uint8Array) {
  if (bytes.length !== LENGTH) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, LENGTH)
  const hash = sha256(sha256(bytes)).toReversed()
  const target = targetOf(view.getUint32(72, true))
  const value = BigInt(`0x${hexOfBytes(hash)}`)
  return {
    /** In the byte order of block explorers. */
    hash: hexOfBytes(hash),
    merkleRoot: bytes.slice(36, 68),
    /** The miner's timestamp, seconds since 1970. */
    time: view.getUint32(68, true),
    /** Expected tries to mine such a block, as a power of two. */
    workBits: target > 0n ? 256 - Math.log2(Number(target)) : 0,
    /** Whether its hash meets its own target. */
    isMined: target > 0n && value <= target,
  }
}

/** Decodes a 256-bit number from its compact form; 0 if invalid. */
function targetOf(short: number): bigint {
  const exponent = short >>> 24
  const digits = BigInt(short & 0x7fffff)
  if ((short & 0x800000) !== 0 || exponent > 32) return 0n
  return exponent >= 3 ? digits << BigInt(8 * (exponent - 3)) : digits >> BigInt(8 * (3 - exponent))
}

/** Null if the header proves that the block contains the message; it cannot prove that the block is in the chain. */
export function whyNotIn(
  header: BlockHeader,
  message: Uint8Array,
  leastWorkBits = LEAST_WORK_BITS,
): string | null {
  if (!header.isMined)
    return 'Its hash is above its own target: it is not the header of a mined block, or a byte of it was changed.'
  if (header.workBits < leastWorkBits) {
    return 'Far too little work went into it: it is not a block of Bitcoin’s main chain since 2016.'
  }
  return areSame(header.merkleRoot, message)
    ? null
    : 'Its Merkle root is not the one that the proof leads to: it is the header of another block, or the proof was changed.'
}
