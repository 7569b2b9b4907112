import { createHash } from 'node:crypto'
import { z } from 'zod'
import { SourceError, type SourceFault } from '#server/kit/failure.ts'
import { failedCall, httpCaller, isOk, type HttpAnswer } from '#server/kit/http-call.ts'
import { isEncrypted } from '#server/kit/reach.ts'
import { jsonOrNull } from '#server/kit/text.ts'
import { type Clock } from '#server/kit/time.ts'
import {
  type NostrEvent,
  type NostrSigner,
  type Picture,
  PostFault,
} from '#server/publishing/ports.ts'

const UPLOAD_WITHIN_MS = 30_000
const MOST_BYTES = 65_536
const MOST_SAID = 200
/** Validity of an upload authorization, in seconds; allows for clock differences. */
const PERMIT_SECONDS = 300

const Stored = z.object({
  url: z.url({ protocol: /^https?$/ }).max(2_000),
  sha256: z.string().toLowerCase(),
  size: z.number().optional(),
})

/** A picture at a public address. */
type HostedPicture = Omit<Picture, 'bytes'> & {
  readonly url: string
  /** SHA-256 of its bytes, hex. */
  readonly sha256: string
}

type PictureHost = ReturnType<typeof blossomPictures>

/** Encodings of the authorization: BUD-11, and the one older servers expect. */
const ENCODINGS = ['base64url', 'base64'] as const

/**
 * Uploads pictures to the first Blossom server that accepts them.
 * @param servers addresses without a trailing slash
 * @see https://github.com/hzrd149/blossom, BUD-02 and BUD-11
 */
export function blossomPictures(
  servers: readonly string[],
  signer: NostrSigner,
  clock: Clock,
  withinMs = UPLOAD_WITHIN_MS,
) {
  return {
    /** @throws SourceError with each server's message if all refused */
    async upload(picture: Picture, signal: AbortSignal): Promise<HostedPicture> {
      const sha256 = createHash('sha256').update(picture.bytes).digest('hex')
      const faults: SourceError[] = []
      for (const server of servers) {
        try {
          return await put(server, picture, sha256, signal)
        } catch (error) {
          signal.throwIfAborted()
          if (!(error instanceof SourceError)) throw error
          faults.push(error)
        }
      }
      // Transient if any of them is.
      const passing = faults.find(({ fault }) => fault === 'down' || fault === 'busy')
      const text = faults.map(({ message }) => message).join(' ')
      throw new SourceError(passing?.fault ?? 'refused', `No server accepted the picture. ${text}`)
    },
  }

  async function put(server: string, picture: Picture, sha256: string, signal: AbortSignal) {
    const name = new URL(server).host
    const { call } = httpCaller(name, { timeoutMs: withinMs, mostBytes: MOST_BYTES })
    const permit = JSON.stringify(await permitFor(server, sha256))
    let answer: HttpAnswer | null = null
    for (const encoding of ENCODINGS) {
      answer = await call({
        method: 'PUT',
        url: new URL(`${server}/upload`),
        headers: {
          authorization: `Nostr ${Buffer.from(permit).toString(encoding)}`,
          'x-sha-256': sha256,
        },
        body: picture,
        signal,
      })
      if (answer.status !== 400 && answer.status !== 401) break
    }
    if (!answer) throw new Error('no authorization encoding')
    if (!isOk(answer)) throw failedUpload(name, answer)
    const stored = Stored.safeParse(jsonOrNull(answer.text)).data
    if (!stored) throw new SourceError('nonsense', `${name} did not say where the picture is.`)
    if (
      stored.sha256 !== sha256 ||
      (stored.size ?? picture.bytes.length) !== picture.bytes.length
    ) {
      throw new SourceError('nonsense', `${name} stored a different picture than the one sent.`)
    }
    if (!isEncrypted(new URL(stored.url))) {
      throw new SourceError('nonsense', `${name} serves the picture without https.`)
    }
    const { type, width, height, alt } = picture
    return { url: stored.url, sha256, type, width, height, alt }
  }

  async function permitFor(server: string, sha256: string): Promise<object> {
    const now = Math.floor(clock.now() / 1_000)
    return signer.sign({
      created_at: now,
      kind: 24_242,
      tags: [
        ['t', 'upload'],
        ['x', sha256],
        ['expiration', String(now + PERMIT_SECONDS)],
        ['server', new URL(server).hostname],
      ],
      content: 'Upload a picture of a note',
    })
  }
}

const SENTENCES: Readonly<Record<number, string>> = {
  401: 'rejected the key of this site',
  402: 'requires payment for pictures',
  403: 'does not accept pictures from this site',
  409: 'received a different picture than announced',
  413: 'finds the picture too large',
  415: 'does not accept pictures of this type',
  429: 'accepts no more pictures for now',
}

function failedUpload(name: string, answer: HttpAnswer): SourceError {
  const { status, headers, waitMs } = answer
  if (status >= 300 && status < 400) return failedCall(name, answer, true)
  const reason = headers['x-reason']?.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim() ?? ''
  const why = reason === '' ? '' : `: “${reason.slice(0, MOST_SAID)}”`
  const what = SENTENCES[status] ?? 'did not accept the picture'
  const fault: SourceFault = status === 429 ? 'busy' : status >= 500 ? 'down' : 'refused'
  return new SourceError(fault, `${name} ${what} (HTTP ${String(status)})${why}.`, waitMs)
}

/** Uploads the pictures and signs a note (kind 1) with the time `at`, Unix time in ms. @throws PostFault */
export async function signNote(
  signer: NostrSigner,
  host: PictureHost,
  note: { readonly text: string; readonly pictures: readonly Picture[]; readonly at: number },
  signal: AbortSignal,
): Promise<NostrEvent> {
  const { text, pictures, at } = note
  try {
    const hosted = await Promise.all(pictures.map((one) => host.upload(one, signal)))
    return await signer.sign({
      created_at: Math.floor(at / 1_000),
      kind: 1,
      tags: [...topicsOf(text).map((topic) => ['t', topic]), ...hosted.map(imeta)],
      content: [text.trim(), ...hosted.map(({ url }) => url)].join('\n\n').trim(),
    })
  } catch (error) {
    if (!(error instanceof SourceError)) {
      throw new PostFault({ state: 'unsent', message: 'It took too long.' })
    }
    const { message, fault } = error
    throw new PostFault(
      fault === 'refused'
        ? { state: 'refused', reason: 'pictures', message }
        : { state: 'unsent', message },
    )
  }
}

/** Distinct hashtags in lower case. */
function topicsOf(text: string): string[] {
  const found = [...text.matchAll(/(?<![\p{L}\p{N}_/#])#([\p{L}\p{N}_]+)/gu)]
    .map(([, topic]) => topic?.toLowerCase() ?? '')
    .filter((topic) => topic !== '' && !/^\d+$/.test(topic))
  return [...new Set(found)]
}

/** Metadata of a note's picture (NIP-92). */
function imeta({ url, type, sha256, width, height, alt }: HostedPicture): string[] {
  const about = alt.replace(/\s+/g, ' ').trim()
  return [
    'imeta',
    `url ${url}`,
    `m ${type}`,
    `x ${sha256}`,
    `dim ${String(width)}x${String(height)}`,
    ...(about ? [`alt ${about}`] : []),
  ]
}
