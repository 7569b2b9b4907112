import { bytesOfHex, hexOfBytes } from '#domain/proof/bytes.ts'
import { SourceError } from '#server/kit/failure.ts'
import { callTo, failedCall, httpCaller, isOk, type HttpLimits } from '#server/kit/http-call.ts'
import { publicReach } from '#server/kit/reach.ts'
import { type ProofSettings } from '#server/kit/settings/nostr.ts'

/** A calendar of OpenTimestamps. Its answers are unverified bytes; callers verify them. */
export type Calendar = {
  readonly address: string
  /** @throws SourceError when it does not accept the digest */
  readonly take: (digest: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>
  /** @returns null until it is in a block @throws SourceError */
  readonly look: (commitment: Uint8Array, signal: AbortSignal) => Promise<Uint8Array | null>
}

/** Provides block headers, which callers verify. */
type BlockHeaders = {
  /** @throws SourceError if it cannot be fetched */
  readonly at: (height: number, signal: AbortSignal) => Promise<Uint8Array>
  /** Minimum work of a header, as a power of two; lowered only for test chains. */
  readonly leastWorkBits?: number
}

export type ProofPorts = {
  /** Empty if not configured: the record is then not stamped. */
  readonly calendars: readonly Calendar[]
  /** Null if not configured: readers then compare headers themselves. */
  readonly headers: BlockHeaders | null
}

/** As in the reference implementation; real answers have a few hundred bytes. */
const LIMITS: HttpLimits = { timeoutMs: 20_000, mostBytes: 10_000 }
const HEADERS = { accept: 'application/vnd.opentimestamps.v1' }
const NOT_YET = 404

export function proofPorts({ calendars, headersUrl }: ProofSettings): ProofPorts {
  return {
    calendars: calendars.map((address) => otsCalendar(address)),
    headers: headersUrl === null ? null : blockHeaders(headersUrl),
  }
}

export function otsCalendar(address: string, limits: Partial<HttpLimits> = {}): Calendar {
  const base = new URL(address)
  const title = `The calendar ${base.host}`
  const { call } = httpCaller(title, { ...LIMITS, ...limits, reach: publicReach(base) })
  return {
    address,
    take: async (digest, signal) => {
      const body = { bytes: digest, type: 'application/octet-stream' }
      const url = callTo(base, '/digest')
      const answer = await call({ method: 'POST', url, headers: HEADERS, body, signal })
      if (!isOk(answer)) throw failedCall(title, answer, false)
      return answer.bytes
    },
    look: async (commitment, signal) => {
      const url = callTo(base, `/timestamp/${hexOfBytes(commitment)}`)
      const answer = await call({ url, headers: HEADERS, signal })
      if (answer.status === NOT_YET) return null
      if (!isOk(answer)) throw failedCall(title, answer, false)
      return answer.bytes
    },
  }
}

export function blockHeaders(address: string, leastWorkBits?: number): BlockHeaders {
  const base = new URL(address)
  const title = `The explorer ${base.host}`
  const { call } = httpCaller(title, { ...LIMITS, reach: publicReach(base) })

  async function hex(path: string, bytes: number, signal: AbortSignal): Promise<Uint8Array> {
    const answer = await call({
      url: callTo(base, path),
      headers: { accept: 'text/plain' },
      signal,
    })
    if (!isOk(answer)) throw failedCall(title, answer, false)
    const read = bytesOfHex(answer.text.trim(), bytes)
    if (read) return read
    throw new SourceError('nonsense', `${title} sent something that is not ${String(bytes)} bytes.`)
  }

  return {
    ...(leastWorkBits === undefined ? {} : { leastWorkBits }),
    at: async (height, signal) => {
      const hash = await hex(`/block-height/${String(height)}`, 32, signal)
      return hex(`/block/${hexOfBytes(hash)}/header`, 80, signal)
    },
  }
}
