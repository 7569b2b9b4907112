import { z } from 'zod'
import {
  SocialPicture,
  SocialPost,
  type PostInput,
  type Proposal,
  type SocialResult,
  type xRateLimit,
} from '#contracts/publishing.ts'
import { plural } from '#domain/day.ts'
import { holdsSecretKey } from '#domain/publishing/nostr.ts'
import {
  isBlank,
  LINK_POST_USD,
  measurePost,
  POST_USD,
  postCost,
  textFault,
} from '#domain/publishing/post-length.ts'
import {
  fieldOf,
  NETWORKS_OF_POSTS,
  type NetworkTexts,
  platformText,
  textFields,
  type SocialNetwork,
} from '#domain/publishing/social-post.ts'

const Network = z.enum(NETWORKS_OF_POSTS)

/**
 * Connection state in the panels (administrator-tools.md §4); `not set up` means missing keys, which is not an
 * error.
 */
export type Connection = 'unknown' | 'connected' | 'error' | 'not set up'
export type XRate = z.infer<typeof xRateLimit.reply>

/** A post being written, in the shape of a stored post; survives a reload of the tab. */
export const Composition = SocialPost.pick({
  ...textFields(() => true as const),
  kind: true,
  submission_id: true,
  prediction_id: true,
  event_id: true,
}).extend({
  /** Uploaded pictures only. */
  pictures: z.array(SocialPicture),
  /** The stored post being edited, as it was when opened; null for a new post. */
  editing: SocialPost.pick({
    id: true,
    state: true,
    updated_at: true,
    scheduled_at: true,
  }).nullable(),
  /** Local date and time, as in the input field. */
  when: z.string(),
  /** Selected networks; null means all that are set up. */
  networks: z.array(Network).nullable(),
  /** The idempotency key and content of an unanswered call; a retry with the same content reuses the key. */
  asked: z.object({ key: z.string(), what: z.string() }).nullable(),
  /** Id of the post sent last, whose outcome is shown. */
  sent: z.string().nullable(),
})
export type Composition = z.infer<typeof Composition>
export type Ask = z.input<typeof PostInput>

export type Aim = readonly SocialNetwork[]

export const EMPTY: Composition = {
  ...textFields(() => ''),
  pictures: [],
  kind: 'manual',
  submission_id: null,
  prediction_id: null,
  event_id: null,
  editing: null,
  when: '',
  networks: null,
  asked: null,
  sent: null,
}

function hasText(texts: NetworkTexts): boolean {
  return NETWORKS_OF_POSTS.some((one) => !isBlank(texts[fieldOf(one)]))
}

export function hasContent(composition: Composition): boolean {
  return hasText(composition) || composition.pictures.length > 0
}

/** The selected networks, else those set up, else all. */
export function aimOf(
  { networks }: Pick<Composition, 'networks'>,
  connections: Readonly<Record<SocialNetwork, Connection>>,
): Aim {
  const open = NETWORKS_OF_POSTS.filter((one) => connections[one] !== 'not set up')
  return networks ?? (open.length === 0 ? NETWORKS_OF_POSTS : open)
}

/** Loads a proposal or stored post for editing; a post that can no longer be changed is copied as a new one. */
export function compositionOf(from: SocialPost | Proposal): Composition {
  if (!('state' in from)) return Composition.parse({ ...EMPTY, ...from })
  const { state, scheduled_at: at, approval } = from
  if (state === 'draft' || state === 'scheduled' || state === 'missed') {
    const when = at === null ? '' : fieldOfMoment(Date.parse(at))
    return Composition.parse({ ...EMPTY, ...from, editing: from, when })
  }
  const submission_id = approval?.state === 'waiting' ? from.submission_id : null
  return Composition.parse({ ...EMPTY, ...from, submission_id, event_id: null })
}

/** The network whose text is used: its own, else the first target network with a text. */
export function textOwner(network: SocialNetwork, aim: Aim, texts: NetworkTexts): SocialNetwork {
  if (!isBlank(texts[fieldOf(network)]) || !aim.includes(network)) return network
  return (
    NETWORKS_OF_POSTS.find((one) => aim.includes(one) && !isBlank(texts[fieldOf(one)])) ?? network
  )
}

export function textFor(network: SocialNetwork, aim: Aim, texts: NetworkTexts): string {
  return texts[fieldOf(textOwner(network, aim, texts))]
}

/**
 * The request body.
 *
 * @param isDraft keeps blank texts blank
 */
export function askOf(aim: Aim, composition: Composition, isDraft = false): Ask {
  const { pictures, kind, submission_id, prediction_id, event_id } = composition
  const ms = plannedMoment(composition)
  return {
    networks: [...aim],
    ...textFields((one) => {
      if (isDraft) return composition[fieldOf(one)]
      return aim.includes(one) ? textFor(one, aim, composition) : ''
    }),
    pictures: pictures.map(({ id, alt }) => ({ id, alt })),
    kind,
    submission_id,
    prediction_id,
    event_id,
    scheduled_at: ms === null ? null : new Date(ms).toISOString(),
    zone: ms === null ? null : ownZone(),
  }
}

export type Readiness = Readonly<Record<SocialNetwork, Connection>> & {
  readonly rate: XRate | undefined
  readonly isPosting: boolean
  readonly openPictures: number
  readonly limit: number
}

/**
 * Why the post cannot be sent, as a sentence; null if it can.
 *
 * @param isPlanned for later: an unreachable network may recover by then
 */
export function obstacle(aim: Aim, composition: Composition, state: Readiness, isPlanned = false) {
  if (state.isPosting) {
    return isPlanned ? 'It is being sent to the server.' : 'It is being posted now.'
  }
  const closed = aim.find((one) => state[one] === 'not set up')
  const notSetUp = closed === undefined ? null : `${platformText([closed])} is not set up.`
  const faultOfNetworks = () =>
    aim.map((one) => faultOfNetwork(one, state)).find((fault) => fault !== null)
  return (
    (isPlanned ? notSetUp : null) ??
    faultOfTexts(aim, composition, state.limit) ??
    (isPlanned ? null : (notSetUp ?? faultOfNetworks())) ??
    (state.openPictures === 0 ? null : 'A picture is not on the server yet.')
  )
}

const SECRET_KEY =
  'This text contains a secret Nostr key. Please take it out: anyone who reads it can post in its name.'

function faultOfTexts(aim: Aim, composition: Composition, limit: number): string | null {
  if (aim.length === 0) return 'Please choose where it goes.'
  for (const network of aim) {
    const text = textFor(network, aim, composition)
    if (isBlank(text)) return 'Please enter tweet text'
    if (holdsSecretKey(text)) return SECRET_KEY
    const fault = textFault(network, text, limit)
    if (fault !== null) return fault
  }
  return null
}

function faultOfNetwork(network: SocialNetwork, { rate, ...state }: Readiness): string | null {
  const name = platformText([network])
  if (state[network] === 'unknown') {
    return network === 'nostr'
      ? 'The relays are being checked.'
      : `The connection to ${name} is being checked.`
  }
  if (state[network] === 'error') return `${name} is not connected.`
  if (network !== 'x' || rate?.canPost !== false) return null
  const { minutesUntilReset: minutes } = rate
  const until = minutes === null ? 'now' : minutesText(minutes)
  return `X accepts no more posts for ${until}.`
}

/** `$0.015`, `$0.20`: in cents, with tenths of a cent if needed. */
export function costText(usd: number): string {
  const digits = Math.round(usd * 1_000) % 10 === 0 ? 2 : 3
  return `$${usd.toFixed(digits)}`
}

export function xCost(aim: Aim, composition: Composition): string {
  const altTexts = composition.pictures.filter(({ alt }) => alt !== '').length
  return costText(postCost(textFor('x', aim, composition), altTexts))
}

export function xWarnings(text: string): string[] {
  const { links, cashtags } = measurePost(text)
  const [link] = links
  return [
    cashtags.length > 1 &&
      `X allows one cashtag per post, and this text has ${String(cashtags.length)} (${cashtags.join(', ')}). Write all but one without the $.`,
    link !== undefined &&
      `With a link (${link}) X charges ${costText(LINK_POST_USD)} for the post instead of ${costText(POST_USD)}.`,
  ].filter((warning) => warning !== false)
}

/** The moment in the date and time field, in ms since 1970; null if invalid. */
export function plannedMoment({ when, editing }: Composition): number | null {
  // The field lacks seconds and is ambiguous when clocks go back, so keep the stored moment if it still matches.
  const planned = editing?.scheduled_at == null ? null : Date.parse(editing.scheduled_at)
  return planned !== null && when === fieldOfMoment(planned) ? planned : momentOfField(when)
}

/** Texts left in the composer after sending: those of networks that were not included. */
export function afterSending(composition: Composition, aim: Aim, sent: string): Composition {
  const texts = textFields((one) => (aim.includes(one) ? '' : composition[fieldOf(one)]))
  if (!hasText(texts)) return { ...EMPTY, sent }
  // The event that proposed the post is done.
  return { ...composition, ...texts, event_id: null, editing: null, asked: null, when: '', sent }
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export function ownZone(): string {
  return new Intl.DateTimeFormat('en-GB').resolvedOptions().timeZone
}

/** A zone with its UTC offset at a moment: `Europe/Berlin, GMT+1`. */
export function zoneText(zone: string, ms: number): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'shortOffset' })
  const offset = parts.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value
  return offset === undefined ? zone : `${zone}, ${offset}`
}

/** A moment as `2026-11-27T09:30`, in the browser's time zone. */
export function fieldOfMoment(ms: number): string {
  const local = new Date(ms - new Date(ms).getTimezoneOffset() * MINUTE_MS)
  return local.toISOString().slice(0, 16)
}

/**
 * Parses `2026-11-27T09:30` to ms since 1970; null if invalid. A time skipped when clocks go forward is moved one hour
 * later.
 */
export function momentOfField(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text)) return null
  const ms = new Date(text).getTime()
  return Number.isNaN(ms) ? null : ms
}

/** `Fri 27/11/2026` */
export function dayText(ms: number): string {
  const at = new Date(ms)
  const day = at.toLocaleDateString('en-GB', { weekday: 'short' })
  return `${day} ${at.toLocaleDateString('en-GB')}`
}

/** `09:00` */
export function timeText(ms: number): string {
  return new Date(ms).toLocaleTimeString('en-GB', { timeStyle: 'short' })
}

/** `Fri 27/11/2026, 09:00` */
export function longMoment(ms: number): string {
  return `${dayText(ms)}, ${timeText(ms)}`
}

const RELATIVE = new Intl.RelativeTimeFormat('en')
const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
] as const

/** Relative time: `in 3 hours`, `2 days ago`. */
export function distanceText(ms: number, nowMs: number): string {
  const away = Math.abs(ms - nowMs)
  const [unit, size] = UNITS.find((one) => away >= 2 * one[1]) ?? (['minute', MINUTE_MS] as const)
  const n = Math.round((ms - nowMs) / size)
  return n === 0 ? 'now' : RELATIVE.format(n, unit)
}

/** `12 minutes`, `3 hours`: rounded up. */
export function minutesText(minutes: number): string {
  const isLong = minutes >= 120
  const n = isLong ? Math.ceil(minutes / 60) : minutes
  return plural(n, isLong ? 'hour' : 'minute')
}

/** The ten seconds of undo plus some time to send. */
const SOON_MS = 40_000

/** Whether the post is being sent to some network, or will be within seconds. */
export function isUnderWay({ state, results, scheduled_at: at }: SocialPost): boolean {
  if (state === 'scheduled') return Date.parse(at ?? '') < Date.now() + SOON_MS
  return state === 'sending' && results.some((one) => one.state === 'sending' || isNew(one))
}

export function isNew({ state, attempts }: SocialResult): boolean {
  return state === 'waiting' && attempts === 0
}
