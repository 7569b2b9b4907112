import { type Proposal, type SocialPost } from '#contracts/publishing.ts'
import { holdsSecretKey } from '#domain/publishing/nostr-key.ts'
import {
  COMPOSER_LIMIT,
  isBlank,
  LINK_POST_USD,
  measurePost,
  POST_USD,
  postCost,
  postFault,
} from '#domain/publishing/post-length.ts'
import {
  NETWORKS_OF_POSTS,
  platformText,
  type PostKind,
  type SocialNetwork,
} from '#domain/publishing/social-post.ts'
import { fieldOfMoment, momentOfField, ownZone } from './moments.ts'
import { type Ask, type Picture } from './calls.ts'
import { type Connection, type XRate } from './use-networks.ts'

/** A post that is being written and not yet sent. */
export type Composition = {
  readonly x: string
  readonly nostr: string
  /** Those that the server has; the others are lost with the page. */
  readonly pictures: readonly Picture[]
  readonly kind: PostKind
  readonly submissionId: string | null
  readonly predictionId: string | null
  /** What happened on record that proposed it; null where a person thought of it. */
  readonly eventId: number | null
  /** The stored post that is being changed; null where a new one is written. */
  readonly editing: Editing | null
  /** Date and time as the field holds them. */
  readonly when: string
  readonly whenAim: Aim
  /** The last call to post that was not answered: the same is asked under the same key. */
  readonly asked: { readonly key: string; readonly what: string } | null
  /** The post that was sent last, whose outcome is shown. */
  readonly sent: string | null
}

export type Editing = {
  readonly id: string
  readonly state: 'draft' | 'scheduled' | 'missed'
  /** When it was changed last before it was opened here: what others write since is not overwritten. */
  readonly seenAt: string | null
  /** The moment it is planned for: a field for date and time holds neither seconds nor which of two equal hours. */
  readonly at: string | null
}

/** Where a post is to go. */
export type Aim = 'both' | SocialNetwork

export const EMPTY: Composition = {
  x: '',
  nostr: '',
  pictures: [],
  kind: 'manual',
  submissionId: null,
  predictionId: null,
  eventId: null,
  editing: null,
  when: '',
  whenAim: 'both',
  asked: null,
  sent: null,
}

export function hasContent({ x, nostr, pictures }: Composition): boolean {
  return !isBlank(x) || !isBlank(nostr) || pictures.length > 0
}

/** A stored post, to be changed or to be written once more. */
export function compositionOf(post: SocialPost): Composition {
  const { networks, scheduled_at: at } = post
  return {
    ...EMPTY,
    x: post.x_text,
    nostr: post.nostr_text,
    pictures: post.pictures,
    kind: post.kind,
    submissionId: post.submission_id,
    predictionId: post.prediction_id,
    eventId: post.event_id,
    editing: editingOf(post),
    when: at === null ? '' : fieldOfMoment(Date.parse(at)),
    whenAim: networks.length > 1 ? 'both' : (networks[0] ?? 'both'),
  }
}

/** A post as the record proposes it. */
export function proposedComposition(proposal: Proposal): Composition {
  const { x_text: x, nostr_text: nostr, kind, prediction_id, event_id } = proposal
  return { ...EMPTY, x, nostr, kind, predictionId: prediction_id, eventId: event_id }
}

/** Null where a stored post cannot be changed any more. */
export function editingOf({
  id,
  state,
  updated_at: seenAt,
  scheduled_at: at,
}: SocialPost): Editing | null {
  const isOpen = state === 'draft' || state === 'scheduled' || state === 'missed'
  return isOpen ? { id, state, seenAt, at } : null
}

function networksOf(aim: Aim): SocialNetwork[] {
  return aim === 'both' ? [...NETWORKS_OF_POSTS] : [aim]
}

/**
 * The text that a network gets. In a post to both, a network without a text of its own gets the other one's.
 */
export function textFor(
  network: SocialNetwork,
  aim: Aim,
  { x, nostr }: Pick<Composition, 'x' | 'nostr'>,
): string {
  const [own, other] = network === 'x' ? [x, nostr] : [nostr, x]
  return aim === 'both' && isBlank(own) ? other : own
}

/** The post as the server is asked for it. */
export function askOf(
  aim: Aim,
  composition: Composition,
  when?: { at: string; zone: string },
): Ask {
  const networks = networksOf(aim)
  return {
    networks,
    x_text: networks.includes('x') ? textFor('x', aim, composition) : '',
    nostr_text: networks.includes('nostr') ? textFor('nostr', aim, composition) : '',
    pictures: composition.pictures.map(({ id, alt }) => ({ id, alt })),
    kind: composition.kind,
    submission_id: composition.submissionId,
    prediction_id: composition.predictionId,
    event_id: composition.eventId,
    scheduled_at: when?.at ?? null,
    zone: when?.zone ?? null,
  }
}

/** A draft keeps both texts as they are, and the time that is chosen; nothing is sent then. */
export function draftAskOf(composition: Composition, when?: { at: string; zone: string }): Ask {
  const networks = NETWORKS_OF_POSTS.filter((one) => !isBlank(composition[one]))
  return {
    ...askOf('both', composition, when),
    networks: networks.length === 0 ? ['x'] : networks,
    x_text: composition.x,
    nostr_text: composition.nostr,
  }
}

export type Readiness = {
  readonly x: Connection
  readonly nostr: Connection
  /** Whether some relays take no connection. */
  readonly isPartly: boolean
  readonly rate: XRate | undefined
  readonly isPosting: boolean
  /** How many pictures the server does not have yet. */
  readonly openPictures: number
  /** Of the text for X, weighted. */
  readonly limit: number
}

/** Why a post cannot be sent there now, as a sentence; null when it can. */
export function obstacle(aim: Aim, composition: Composition, state: Readiness): string | null {
  if (state.isPosting) return 'It is being posted.'
  const textFault = faultOfTexts(aim, composition, state.limit)
  if (textFault !== null) return textFault
  for (const network of networksOf(aim)) {
    const fault = faultOfNetwork(network, state)
    if (fault !== null) return fault
  }
  return null
}

/** The same for a time to come: a network may be away now and back by then. */
export function planObstacle(
  aim: Aim,
  composition: Composition,
  { limit, openPictures, isPosting, ...connections }: Readiness,
): string | null {
  if (isPosting) return 'It is being sent to the server.'
  const without = networksOf(aim).find((network) => connections[network] === 'not set up')
  if (without !== undefined) return notSetUp(without)
  return faultOfTexts(aim, composition, limit) ?? faultOfPictures(openPictures)
}

function notSetUp(network: SocialNetwork): string {
  return `${platformText([network])} is not set up.`
}

const SECRET_KEY =
  'This text contains a secret Nostr key. Please take it out: anyone who reads it can post in its name.'

function faultOfTexts(aim: Aim, composition: Composition, limit: number): string | null {
  for (const network of networksOf(aim)) {
    const text = textFor(network, aim, composition)
    if (isBlank(text)) return 'Please enter tweet text'
    if (holdsSecretKey(text)) return SECRET_KEY
    const fault = network === 'x' ? postFault(text, limit) : noteFault(text)
    if (fault !== null) return fault
  }
  return null
}

function noteFault(text: string): string | null {
  const { weight } = measurePost(text)
  return weight <= COMPOSER_LIMIT
    ? null
    : `The note is too long: ${String(weight)} of ${String(COMPOSER_LIMIT)} characters. Please shorten it.`
}

function faultOfPictures(open: number): string | null {
  return open === 0 ? null : 'A picture is not on the server yet.'
}

function faultOfNetwork(network: SocialNetwork, state: Readiness): string | null {
  if (state[network] === 'unknown') {
    return network === 'x'
      ? 'The connection to X is being checked.'
      : 'The relays are being checked.'
  }
  if (state[network] === 'not set up') return notSetUp(network)
  if (state[network] === 'error') {
    return network === 'x' ? 'X is not connected.' : 'Nostr is not connected.'
  }
  if (network === 'x' && state.rate && !state.rate.canPost) {
    const { minutesUntilReset: minutes } = state.rate
    return minutes === null
      ? 'X takes no more posts for now.'
      : `X takes no more posts for ${minutesText(minutes)}.`
  }
  return faultOfPictures(state.openPictures)
}

/** `12 minutes`, `3 hours`: rounded up, never too early. */
export function minutesText(minutes: number): string {
  const isLong = minutes >= 120
  const n = isLong ? Math.ceil(minutes / 60) : minutes
  return `${String(n)} ${isLong ? 'hour' : 'minute'}${n === 1 ? '' : 's'}`
}

/** `$0.015`, `$0.20`: cents, and their tenths where there are some. */
export function costText(usd: number): string {
  const digits = Math.round(usd * 1_000) % 10 === 0 ? 2 : 3
  return `$${usd.toFixed(digits)}`
}

/** What X charges for the post. */
export function xCost(aim: Aim, composition: Composition): string {
  const altTexts = composition.pictures.filter(({ alt }) => alt !== '').length
  return costText(postCost(textFor('x', aim, composition), altTexts))
}

/** What to think of before a text goes to X, as sentences. */
export function xWarnings(text: string): string[] {
  const { links, cashtags } = measurePost(text)
  const warnings: string[] = []
  if (cashtags.length > 1) {
    warnings.push(
      `X takes one cashtag a post, and this text has ${String(cashtags.length)} (${cashtags.join(', ')}). Write all but one without the $.`,
    )
  }
  const [link] = links
  if (link !== undefined) {
    warnings.push(
      `With a link (${link}) X takes ${costText(LINK_POST_USD)} for the post instead of ${costText(POST_USD)}.`,
    )
  }
  return warnings
}

/** The moment that the field for date and time means, milliseconds since 1970; null when it holds none. */
export function momentMeant({
  when,
  editing,
}: Pick<Composition, 'when' | 'editing'>): number | null {
  const planned = editing?.at == null ? null : Date.parse(editing.at)
  return planned !== null && when === fieldOfMoment(planned) ? planned : momentOfField(when)
}

/** The time that is chosen, as the server takes it. */
export function timeOf(composition: Composition): { at: string; zone: string } | undefined {
  const ms = momentMeant(composition)
  return ms === null ? undefined : { at: new Date(ms).toISOString(), zone: ownZone() }
}

/** Whether a stored post is what the server was asked for; its time counts where one was asked for. */
export function isAsAsked(post: SocialPost, ask: Ask): boolean {
  const { pictures = [], networks } = ask
  return (
    post.x_text === ask.x_text &&
    post.nostr_text === ask.nostr_text &&
    post.submission_id === ask.submission_id &&
    (ask.scheduled_at == null || post.scheduled_at === ask.scheduled_at) &&
    post.networks.toSorted().join() === [...networks].toSorted().join() &&
    JSON.stringify(post.pictures.map(({ id, alt }) => [id, alt])) ===
      JSON.stringify(pictures.map(({ id, alt }) => [id, alt]))
  )
}

/** What is left once a post that was sent before is out after all: not its own texts. */
export function afterTryingAgain(
  composition: Composition,
  post: Pick<SocialPost, 'x_text' | 'nostr_text' | 'results'>,
): Composition {
  const isOut = (network: SocialNetwork): boolean =>
    post.results.some((one) => one.network === network && one.state !== 'failed')
  const x = isOut('x') && composition.x === post.x_text ? '' : composition.x
  const nostr = isOut('nostr') && composition.nostr === post.nostr_text ? '' : composition.nostr
  if (x === composition.x && nostr === composition.nostr) return composition
  const isDone = isBlank(x) && isBlank(nostr)
  return isDone ? { ...EMPTY, sent: composition.sent } : { ...composition, x, nostr }
}

/**
 * What is left after a post was sent: the texts that a network refused, to be corrected. What is out, or may be, goes, so
 * that it is not posted twice by mistake.
 */
export function afterSending(
  composition: Composition,
  aim: Aim,
  post: Pick<SocialPost, 'id' | 'results'>,
): Composition {
  const refused = post.results
    .filter(({ state, next_try_at: next }) => state === 'failed' && next === null)
    .map(({ network }) => network)
  const isGone = (network: SocialNetwork): boolean =>
    networksOf(aim).includes(network) && !refused.includes(network)
  const x = isGone('x') ? '' : textFor('x', refused.includes('x') ? aim : 'x', composition)
  const nostr = isGone('nostr')
    ? ''
    : textFor('nostr', refused.includes('nostr') ? aim : 'nostr', composition)
  const isDone = isBlank(x) && isBlank(nostr)
  if (isDone) return { ...EMPTY, sent: post.id }
  // What proposed it has its post by now.
  const rest = { eventId: null, editing: null, asked: null, when: '' }
  return { ...composition, ...rest, x, nostr, sent: post.id }
}
