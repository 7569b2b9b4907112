import { type Proposal, type SocialPost } from '#contracts/publishing.ts'
import { holdsSecretKey } from '#domain/publishing/nostr-key.ts'
import {
  isBlank,
  LINK_POST_USD,
  measurePost,
  POST_USD,
  postCost,
  textFault,
} from '#domain/publishing/post-length.ts'
import {
  eachNetwork,
  NETWORKS_OF_POSTS,
  platformText,
  textFields,
  textsOfFields,
  type NetworkTexts,
  type PostKind,
  type SocialNetwork,
} from '#domain/publishing/social-post.ts'
import { fieldOfMoment, momentOfField, ownZone } from './moments.ts'
import { type Ask, type Picture } from './calls.ts'
import { type Connection, type XRate } from './use-networks.ts'

/** A post that is being written and not yet sent. */
export type Composition = NetworkTexts & {
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
  /** The networks it is meant for; null, before any is chosen, means all that are set up. */
  readonly where: Aim | null
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
export type Aim = readonly SocialNetwork[]

export const EMPTY: Composition = {
  ...eachNetwork(() => ''),
  pictures: [],
  kind: 'manual',
  submissionId: null,
  predictionId: null,
  eventId: null,
  editing: null,
  when: '',
  where: null,
  asked: null,
  sent: null,
}

export function hasContent(composition: Composition): boolean {
  return hasText(composition) || composition.pictures.length > 0
}

function hasText(texts: NetworkTexts): boolean {
  return NETWORKS_OF_POSTS.some((one) => !isBlank(texts[one]))
}

/** Where a post goes that is sent now: where it is meant for, or everywhere that is set up; everywhere where nothing is. */
export function aimOf(
  { where }: Pick<Composition, 'where'>,
  connections: Readonly<Record<SocialNetwork, Connection>>,
): Aim {
  const open = NETWORKS_OF_POSTS.filter((one) => connections[one] !== 'not set up')
  return where ?? (open.length === 0 ? NETWORKS_OF_POSTS : open)
}

/** A stored post, to be changed or to be written once more. */
export function compositionOf(post: SocialPost): Composition {
  const { networks, scheduled_at: at } = post
  return {
    ...EMPTY,
    ...textsOfFields(post),
    pictures: post.pictures,
    kind: post.kind,
    submissionId: post.submission_id,
    predictionId: post.prediction_id,
    eventId: post.event_id,
    editing: editingOf(post),
    when: at === null ? '' : fieldOfMoment(Date.parse(at)),
    where: networks,
  }
}

/** A post as the record proposes it. */
export function proposedComposition(proposal: Proposal): Composition {
  const { kind, prediction_id: predictionId, event_id: eventId } = proposal
  return { ...EMPTY, ...textsOfFields(proposal), kind, predictionId, eventId }
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

/** Whose text a network gets: its own, or, where it has none, that of the first other one that the post goes to. */
export function textOwner(network: SocialNetwork, aim: Aim, texts: NetworkTexts): SocialNetwork {
  if (!isBlank(texts[network]) || !aim.includes(network)) return network
  return NETWORKS_OF_POSTS.find((one) => aim.includes(one) && !isBlank(texts[one])) ?? network
}

export function textFor(network: SocialNetwork, aim: Aim, texts: NetworkTexts): string {
  return texts[textOwner(network, aim, texts)]
}

/** The post as the server is asked for it. */
export function askOf(
  aim: Aim,
  composition: Composition,
  when?: { at: string; zone: string },
): Ask {
  return {
    networks: [...aim],
    ...textFields((one) => (aim.includes(one) ? textFor(one, aim, composition) : '')),
    pictures: composition.pictures.map(({ id, alt }) => ({ id, alt })),
    kind: composition.kind,
    submission_id: composition.submissionId,
    prediction_id: composition.predictionId,
    event_id: composition.eventId,
    scheduled_at: when?.at ?? null,
    zone: when?.zone ?? null,
  }
}

/** A draft keeps all texts as they are, and the time that is chosen; nothing is sent then. */
export function draftAskOf(
  aim: Aim,
  composition: Composition,
  when?: { at: string; zone: string },
): Ask {
  return { ...askOf(aim, composition, when), ...textFields((one) => composition[one]) }
}

export type Readiness = Readonly<Record<SocialNetwork, Connection>> & {
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
  const said = faultOfTexts(aim, composition, state.limit)
  if (said !== null) return said
  for (const network of aim) {
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
  const without = aim.find((network) => connections[network] === 'not set up')
  if (without !== undefined) return notSetUp(without)
  return faultOfTexts(aim, composition, limit) ?? faultOfPictures(openPictures)
}

function notSetUp(network: SocialNetwork): string {
  return `${platformText([network])} is not set up.`
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

function faultOfPictures(open: number): string | null {
  return open === 0 ? null : 'A picture is not on the server yet.'
}

function faultOfNetwork(network: SocialNetwork, state: Readiness): string | null {
  if (state[network] === 'unknown') {
    return network === 'nostr'
      ? 'The relays are being checked.'
      : `The connection to ${platformText([network])} is being checked.`
  }
  if (state[network] === 'not set up') return notSetUp(network)
  if (state[network] === 'error') return `${platformText([network])} is not connected.`
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
    NETWORKS_OF_POSTS.every((one) => post[`${one}_text`] === ask[`${one}_text`]) &&
    post.submission_id === ask.submission_id &&
    (ask.scheduled_at == null || post.scheduled_at === ask.scheduled_at) &&
    post.networks.toSorted().join() === [...networks].toSorted().join() &&
    JSON.stringify(post.pictures.map(({ id, alt }) => [id, alt])) ===
      JSON.stringify(pictures.map(({ id, alt }) => [id, alt]))
  )
}

type PostTexts = ReturnType<typeof textFields<string>>

/** What is left once a post that was sent before is out after all: not its own texts. */
export function afterTryingAgain(
  composition: Composition,
  post: PostTexts & Pick<SocialPost, 'results'>,
): Composition {
  const isOut = (network: SocialNetwork): boolean =>
    post.results.some((one) => one.network === network && one.state !== 'failed')
  const sent = textsOfFields(post)
  const texts = eachNetwork((one) =>
    isOut(one) && composition[one] === sent[one] ? '' : composition[one],
  )
  if (NETWORKS_OF_POSTS.every((one) => texts[one] === composition[one])) return composition
  return hasText(texts) ? { ...composition, ...texts } : { ...EMPTY, sent: composition.sent }
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
  const texts = eachNetwork((one) => {
    if (refused.includes(one)) return textFor(one, aim, composition)
    return aim.includes(one) ? '' : composition[one]
  })
  if (!hasText(texts)) return { ...EMPTY, sent: post.id }
  // What proposed it has its post by now.
  const rest = { eventId: null, editing: null, asked: null, when: '' }
  return { ...composition, ...rest, ...texts, sent: post.id }
}
