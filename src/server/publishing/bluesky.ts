// Not `{ type … }`, which would leave an import behind: the library is loaded on demand.
import type * as Atproto from '@atproto/api'
import { SourceError } from '#server/kit/failure.ts'
import { fetchBy } from '#server/kit/fetch-by.ts'
import { httpCaller } from '#server/kit/http-call.ts'
import { publicReach } from '#server/kit/reach.ts'
import { type BlueskySettings, type PublishSettings } from '#server/kit/settings/networks.ts'
import { sha256 } from '#server/kit/tokens.ts'
import {
  PostFault,
  refusedPost,
  type AccountParts,
  type NotPosted,
  type Publisher,
} from './ports.ts'

const CALL_MS = 30_000
const LOOK_MS = 5_000
const POSTS = 'app.bsky.feed.post'
/** Maximum length of quoted server messages. */
const MOST_SAID = 200

class NoAnswer extends Error {
  /** Whether the request may have arrived. */
  readonly isSent: boolean

  constructor(message: string, isSent: boolean) {
    super(message)
    this.isSent = isSent
  }
}

type Client = { readonly api: typeof Atproto; readonly agent: Atproto.AtpAgent }

/**
 * Posts to one account on Bluesky, or another server of its protocol, with an app password.
 * @param callLimit time limit per call
 */
export function blueskyPublisher({
  url,
  handle,
  password,
  callLimit = () => AbortSignal.timeout(CALL_MS),
}: BlueskySettings & { readonly callLimit?: () => AbortSignal }): Publisher {
  const { call } = httpCaller('Bluesky', { reach: publicReach(url) })
  let client: Promise<Client> | null = null
  let signingIn: Promise<void> | null = null

  /** The library's `fetch`: limited like all our calls, with a connection per call. */
  const fetchOurs = fetchBy(async (ask) => {
    let isSent = false
    const onConnected = (): void => {
      isSent = true
    }
    try {
      const signal = AbortSignal.any([ask.signal, callLimit()])
      const answer = await call({ ...ask, signal, onConnected })
      // After a timeout the post may have arrived.
      if (answer.status === 408) throw new NoAnswer('Bluesky gave up on the call (HTTP 408).', true)
      return answer
    } catch (error) {
      if (error instanceof SourceError) throw new NoAnswer(error.message, isSent)
      throw error
    }
  })

  function open(): Promise<Client> {
    client ??= import('@atproto/api').then((api) => ({
      api,
      agent: new api.AtpAgent({ service: url, fetch: fetchOurs }),
    }))
    return client
  }

  /** Signs in if necessary. @throws PostFault */
  async function signedIn(): Promise<Client & { readonly did: string }> {
    const opened = await open()
    const { agent } = opened
    if (!agent.session) {
      signingIn ??= agent
        .login({ identifier: handle, password })
        .then(() => undefined)
        .finally(() => {
          signingIn = null
        })
      await signingIn.catch((error: unknown) => {
        throw new PostFault(notPosted(error, 'sign-in'))
      })
    }
    const did = agent.session?.did
    if (did === undefined)
      throw new PostFault({ state: 'unsent', message: 'Bluesky ended the session.' })
    return { ...opened, did }
  }

  /** Calls the API with a session; retries once with a new one if it has expired. @throws PostFault */
  async function asAccount<T>(
    signal: AbortSignal,
    isPublishing: boolean,
    work: (client: Client & { readonly did: string }) => Promise<T>,
  ): Promise<T> {
    for (let isAgain = false; ; isAgain = true) {
      const signed = await signedIn()
      if (signal.aborted) throw new PostFault(LATE)
      try {
        return await work(signed)
      } catch (error) {
        if (error instanceof PostFault) throw error
        const isOver =
          isCallFault(error) && (error.status === 401 || error.error === 'ExpiredToken')
        if (isOver && !isAgain) {
          client = null
          continue
        }
        throw new PostFault(notPosted(error, isPublishing ? 'publishing' : 'quiet'))
      }
    }
  }

  function find(uri: string, signal: AbortSignal): Promise<string | null> {
    const [, repo = '', collection = '', rkey = ''] =
      /^at:\/\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(uri) ?? []
    return asAccount(signal, false, async ({ agent }) => {
      try {
        await agent.com.atproto.repo.getRecord({ repo, collection, rkey }, { signal })
        return uri
      } catch (error) {
        if (isCallFault(error) && error.error === 'RecordNotFound') return null
        throw error
      }
    })
  }

  return {
    handle,

    whoAmI: (signal) =>
      asAccount(signal, false, async ({ agent }) => {
        const { data } = await agent.com.atproto.server.getSession(undefined, { signal })
        return data.handle
      }),

    async post({ key, text, pictures }, { signal, beforePost }) {
      const images: Atproto.AppBskyEmbedImages.Image[] = []
      for (const { bytes, type, width, height, alt } of pictures) {
        const image = await asAccount(signal, false, async ({ agent }) => {
          const options = { encoding: type, signal }
          return (await agent.com.atproto.repo.uploadBlob(bytes, options)).data.blob
        })
        images.push({ image, alt, aspectRatio: { width, height } })
      }
      const { api, did } = await signedIn()
      const record: Atproto.AppBskyFeedPost.Record = {
        $type: POSTS,
        text,
        createdAt: new Date(timeOfKey(key)).toISOString(),
        ...facetsOf(api, text),
        ...(images.length > 0 ? { embed: { $type: 'app.bsky.embed.images', images } } : {}),
      }
      const uri = `at://${did}/${POSTS}/${key}`
      await beforePost(uri)
      try {
        await asAccount(signal, true, ({ agent }) =>
          agent.com.atproto.repo.putRecord(
            { repo: did, collection: POSTS, rkey: key, record: { ...record } },
            { signal },
          ),
        )
      } catch (error) {
        if (!(error instanceof PostFault) || error.not.state !== 'unknown') throw error
        // An earlier attempt may have stored it; the server can tell.
        const found = await find(uri, AbortSignal.timeout(LOOK_MS)).catch(() => null)
        if (found === null) throw error
      }
      return uri
    },

    find: ({ remoteId }, signal) => find(remoteId ?? '', signal),
  }
}

/** The account on Bluesky; null if not configured. */
export function blueskyAccountOf({ bluesky }: PublishSettings): AccountParts | null {
  if (!bluesky) return null
  const keyHash = sha256(`${bluesky.url.origin} ${bluesky.handle}`)
  return { publisher: blueskyPublisher(bluesky), keyHash }
}

const LATE: NotPosted = { state: 'unsent', message: 'Bluesky took too long.' }

/** Links and hashtags with their byte offsets. Names stay plain text, so that judged people are not notified. */
function facetsOf({ RichText }: typeof Atproto, text: string) {
  const rich = new RichText({ text })
  rich.detectFacetsWithoutResolution()
  const facets = (rich.facets ?? []).filter(({ features }) =>
    features.every(({ $type }) => $type !== 'app.bsky.richtext.facet#mention'),
  )
  return facets.length > 0 ? { facets } : {}
}

/** The library's errors by shape, as it is loaded on demand. */
type CallFault = Error & {
  readonly status: number
  readonly error: string
  readonly headers?: Readonly<Record<string, string>>
}

function isCallFault(error: unknown): error is CallFault {
  return error instanceof Error && 'status' in error && typeof error.status === 'number'
}

const KEYS_FAULT =
  'Bluesky does not accept the account’s name with its app password. Check BLUESKY_HANDLE and BLUESKY_APP_PASSWORD.'

/** Outcome of a post after a failed call. */
function notPosted(error: unknown, during: 'sign-in' | 'quiet' | 'publishing'): NotPosted {
  const doubt = during === 'publishing' ? ('unknown' as const) : ('unsent' as const)
  if (!isCallFault(error)) throw error
  const { status, headers = {}, cause } = error
  if (cause instanceof NoAnswer) {
    return { state: cause.isSent ? doubt : 'unsent', message: cause.message }
  }
  if (status < 400) {
    return { state: doubt, message: 'Bluesky sent an answer in an unexpected form.' }
  }
  if (status === 429) {
    const seconds = Number(headers['ratelimit-reset'] ?? NaN)
    return {
      state: 'limited',
      until: Number.isSafeInteger(seconds) && seconds >= 0 ? seconds * 1_000 : null,
      message: 'Bluesky accepts no more calls from this account for now (HTTP 429).',
    }
  }
  if (status >= 500) {
    const trouble = `Bluesky had a problem (HTTP ${String(status)})`
    return during === 'publishing'
      ? { state: 'unknown', message: `${trouble} and did not say whether it posted.` }
      : { state: 'unsent', message: `${trouble}.` }
  }
  return refused(error)
}

/** @param fault of a permanent rejection */
function refused({ status, error: name, message: detail }: CallFault): NotPosted {
  const text = detail.replaceAll(/\s+/g, ' ').trim().slice(0, MOST_SAID)
  if (/^(?:AccountTakedown|AccountDeactivated|AccountSuspended)$/.test(name)) {
    return refusedPost(
      'not-permitted',
      'The account on Bluesky is closed. Please look at it there.',
    )
  }
  if (status === 401 || /Token/.test(name)) return refusedPost('keys', KEYS_FAULT)
  if (status === 403) {
    return refusedPost('not-permitted', `Bluesky does not permit this (HTTP 403). It says: ${text}`)
  }
  if (status === 413 || /^(?:BlobTooLarge|InvalidMimeType)$/.test(name)) {
    return refusedPost(
      'pictures',
      'Bluesky does not accept one of the pictures. Please use another one.',
    )
  }
  if (/grapheme|must not be longer/i.test(text)) {
    return refusedPost('too-long', 'The text is too long for Bluesky.')
  }
  return refusedPost('other', `Bluesky refuses this (HTTP ${String(status)}). It says: ${text}`)
}

const DIGITS = '234567abcdefghijklmnopqrstuvwxyz'
const LENGTH = 13
/** The last bits of a key distinguish posts of the same moment. */
const CLOCK_BITS = 10n

/** The key of a record: microseconds, and ten bits of its post. @see https://atproto.com/specs/tid */
export function recordKey(atMs: number, postId: string): string {
  const own = BigInt(`0x${postId.replaceAll('-', '')}`)
  const micros = BigInt(atMs) * 1_000n + ((own >> CLOCK_BITS) % 1_000n)
  const value = (micros << CLOCK_BITS) | (own & ((1n << CLOCK_BITS) - 1n))
  const digits = Array.from(value.toString(32).padStart(LENGTH, '0'))
  return digits.map((digit) => DIGITS.charAt(Number.parseInt(digit, 32))).join('')
}

/** Unix time in ms. */
export function timeOfKey(key: string): number {
  const value = Array.from(key).reduce(
    (sum, digit) => sum * 32n + BigInt(DIGITS.indexOf(digit)),
    0n,
  )
  return Number((value >> CLOCK_BITS) / 1_000n)
}
