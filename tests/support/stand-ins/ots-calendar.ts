import { type IncomingMessage, type ServerResponse } from 'node:http'
import { bytesOfHex, hexOfBytes, utf8 } from '#domain/proof/bytes.ts'
import { readHeader } from '#domain/proof/check-proof.ts'
import { after, applied, writeTimestamp, type Attestation, type Step } from '#domain/proof/ots.ts'
import { bodyOf, serving } from './serving.ts'

/** How the stand-in answers: correctly, or with a fault. */
export type CalendarBehaviour =
  | 'honest'
  /** Claims a block, by a path that does not lead to its root. */
  | 'lies'
  | 'silent'
  | 'huge'
  | 'garbage'
  /** Sends a complete proof of something else instead. */
  | 'another proof'
  | 'elsewhere'
  | 'busy'
  /** Accepts a digest and promises nothing. */
  | 'no promise'

const FIRST_HEIGHT = 900_000

export type StandInCalendar = Awaited<ReturnType<typeof startCalendar>>

/** A calendar of OpenTimestamps and an explorer with the headers of its chain, both on this machine. */
export async function startCalendar() {
  let behaviour: CalendarBehaviour = 'honest'
  const calls: string[] = []
  const waiting = new Set<string>()
  /** Proof steps into the block, by commitment. */
  const blocks = new Map<string, Uint8Array>()
  const headers: Uint8Array[] = []

  const { origin: url, [Symbol.asyncDispose]: close } = await serving((request, response) => {
    const { url: path = '/' } = request
    calls.push(path)
    void answer(request, response, path)
  })

  async function answer(request: IncomingMessage, response: ServerResponse, path: string) {
    const sent = await bodyOf(request)
    if (path.startsWith('/block')) {
      const message = explorer(path)
      const status = message === null ? 404 : 200
      return response.writeHead(status, { 'content-type': 'text/plain' }).end(message)
    }
    if (behaviour === 'silent') return null
    if (behaviour === 'busy') return response.writeHead(429, { 'retry-after': '3600' }).end()
    if (behaviour === 'elsewhere')
      return response.writeHead(302, { location: `${url}/digest` }).end()
    if (behaviour === 'huge') return response.end(Buffer.alloc(10_000_000))
    if (behaviour === 'garbage') return response.end('<!doctype html><title>Hello</title>')
    if (behaviour === 'another proof') {
      const proof = '004f70656e54696d657374616d7073000050726f6f6600bf89e2e884e8929401'
      return response.end(Buffer.from(proof, 'hex'))
    }
    if (path === '/digest') return response.end(take(sent))
    const commitment = path.replace('/timestamp/', '')
    const way = blocks.get(commitment)
    if (behaviour === 'lies') return response.end(lie())
    if (way) return response.end(way)
    return response.writeHead(404).end('Pending confirmation in Bitcoin blockchain')
  }

  /** As in real calendars: a timestamp before the digest, a secret after it. */
  function take(digest: Uint8Array): Uint8Array {
    if (behaviour === 'no promise')
      return writeTimestamp(after([{ kind: 'sha256' }], ends({ kind: 'bitcoin', height: 1 })))
    const steps: Step[] = [
      { kind: 'append', bytes: utf8(`nonce of ${url}`) },
      { kind: 'sha256' },
      { kind: 'prepend', bytes: Uint8Array.of(0x65, 0x53, 0xf1, 0x00) },
      { kind: 'append', bytes: utf8('12345678') },
    ]
    const end = steps.reduce<Uint8Array>((at, step) => applied(step, at), digest)
    waiting.add(hexOfBytes(end))
    return writeTimestamp(after(steps, ends({ kind: 'pending', calendar: url })))
  }

  function lie(): Uint8Array {
    const height = FIRST_HEIGHT + Math.max(0, headers.length - 1)
    return writeTimestamp(
      after(
        [{ kind: 'append', bytes: utf8('!') }, { kind: 'sha256' }],
        ends({ kind: 'bitcoin', height }),
      ),
    )
  }

  /** One commitment per block is enough here. */
  function mine(): string {
    for (const commitment of waiting) {
      const message = bytesOfHex(commitment) ?? new Uint8Array()
      const steps: Step[] = [
        { kind: 'sha256' },
        { kind: 'prepend', bytes: utf8('a transaction of Bitcoin ') },
        { kind: 'sha256' },
        { kind: 'sha256' },
      ]
      const root = steps.reduce<Uint8Array>((at, step) => applied(step, at), message)
      const height = FIRST_HEIGHT + headers.length
      headers.push(minedHeader(root))
      blocks.set(commitment, writeTimestamp(after(steps, ends({ kind: 'bitcoin', height }))))
    }
    waiting.clear()
    // A later block of others, for false claims.
    return hexOfBytes(headers.at(-1) ?? minedHeader(new Uint8Array(32)))
  }

  function explorer(path: string): string | null {
    const [, height] = /^\/block-height\/(\d+)$/.exec(path) ?? []
    if (height !== undefined) {
      const header = headers[Number(height) - FIRST_HEIGHT]
      return header ? (readHeader(header)?.hash ?? null) : null
    }
    const [, hash] = /^\/block\/([0-9a-f]{64})\/header$/.exec(path) ?? []
    const header = headers.find((one) => readHeader(one)?.hash === hash)
    return header ? hexOfBytes(header) : null
  }

  return {
    url,
    set: (next: CalendarBehaviour): void => {
      behaviour = next
    },
    /** Puts the accepted digests into a block. @returns its header, hex */
    mine,
    calls,
    [Symbol.asyncDispose]: close,
  }
}

function ends(attestation: Attestation) {
  return { attestations: [attestation], steps: [] }
}

/** Nearly every other hash is small enough. */
const EASIEST = 0x207f_ffff

/** The header of a test chain's block, mined on the spot. @param merkleRoot in the byte order of the header */
export function minedHeader(merkleRoot: Uint8Array): Uint8Array {
  const header = new Uint8Array(80)
  const view = new DataView(header.buffer)
  view.setUint32(0, 0x2000_0000, true)
  header.set(merkleRoot, 36)
  view.setUint32(68, 1_795_000_000, true)
  view.setUint32(72, EASIEST, true)
  for (let nonce = 0; ; nonce += 1) {
    view.setUint32(76, nonce, true)
    if (readHeader(header)?.isMined) return header
  }
}
