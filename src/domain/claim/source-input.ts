import { truncate, cleanLine } from '#domain/clean-text.ts'
import { readPartialDay, isoDay, type Day } from '#domain/day.ts'
import { foldHandle } from '#domain/people/name.ts'
import { postDay, readPostUrl } from '#domain/posts/post-url.ts'
import { holdsSecretKey } from '#domain/publishing/nostr.ts'
import { readSourceAddress } from '#domain/web-address.ts'
import { areSameSources, bestFirst, MOST_SOURCES, type Source, type SourceKind } from './source.ts'

/** A source as sent by a form, file or call; missing values are null, empty or absent. */
type SourceInput = {
  readonly kind?: SourceKind | null | undefined
  readonly url: string
  /** `2024-08-08` or `08/08/2024`; `2024-08`, `08/2024` or `2024` if less precise. */
  readonly date?: string | null | undefined
  readonly archived_url?: string | null | undefined
  /** A person has checked that the archived copy shows the same page, if its address does not say so. */
  readonly archive_checked?: boolean | null | undefined
  readonly quotation?: string | null | undefined
  readonly speaker?: string | null | undefined
}

export type SourcesInput = {
  readonly sources?: readonly SourceInput[] | null | undefined
  readonly source_url?: string | null | undefined
}

export const LONGEST_SOURCE = { url: 2_000, quotation: 400, speaker: 120 } as const

/** How many characters of `2024-08-08` each precision shows. */
const CHARACTERS = { day: 10, month: 7, year: 4 } as const

export const SOURCE_MESSAGES = {
  url: 'Please enter a web address of a public site that starts with https:// or http://, without a name or password in it.',
  missing: 'Please enter the address of this source, or remove it.',
  twice: 'This page is already in the list.',
  most: `Please name at most ${String(MOST_SOURCES)} sources.`,
  date: 'Please enter a day such as 08/08/2024 or 2024-08-08, a month such as 08/2024, or a year such as 2024.',
  later: 'This date is in the future (UTC).',
  sameAddress: 'This is the address of the source itself, not of a copy.',
  unknownArchive:
    'This address does not say which page it is a copy of. Please open it, and confirm that it shows the same page.',
  speaker: 'Please enter who said these words.',
  words: 'Please enter the words that this person said, or remove the name.',
  secretKey: 'This is a secret key (nsec). Never share it: anyone who has it can post as you.',
} as const

type Faults = Record<string, string>
type Context = {
  readonly handle: string | null
  readonly today: Day
  readonly stored: readonly Source[]
}

/**
 * Parses sources and sorts them best first. A list replaces the stored one; a single address goes first ({@link
 * withAddress}), and an empty one removes the best.
 *
 * @returns `faults` by field: `sources.1.date`, or `source_url` where that was given
 */
export function readSources(
  input: SourcesInput,
  context: Context,
): { readonly sources: readonly Source[]; readonly faults: Readonly<Faults> } {
  const { sources, source_url: url } = input
  if (sources !== null && sources !== undefined) return readList(sources, context)
  if (url === undefined) return { sources: context.stored, faults: {} }
  return readLone((url ?? '').trim(), context)
}

function readLone(url: string, { handle, stored }: Context): ReturnType<typeof readSources> {
  const [best, ...others] = stored
  if (url === (best?.url ?? '')) return { sources: stored, faults: {} }
  if (url === '') return { sources: others, faults: {} }
  const fault = addressFault(url)
  if (fault !== null) return { sources: stored, faults: { source_url: fault } }
  return { sources: withAddress(stored, sourceAt(url, handle)), faults: {} }
}

/**
 * Puts a single given address first. A known page keeps its details; a new page replaces the best source.
 *
 * @param added the source derived from the address; see {@link sourceAt}
 */
export function withAddress(stored: readonly Source[], added: Source): readonly Source[] {
  const key = addressKey(added.url)
  const known = stored.find((one) => addressKey(one.url) === key)
  if (!known) return [added, ...stored.slice(1)]
  return [
    {
      ...known,
      // `report` is the fallback.
      kind: known.kind === 'report' ? added.kind : known.kind,
      // An archived copy doesn't replace the page.
      url: isCopy(added.url) && !isCopy(known.url) ? known.url : added.url,
      date: known.date ?? added.date,
    },
    ...stored.filter((one) => one !== known),
  ]
}

function isCopy(url: string): boolean {
  return archivedPage(url) !== null
}

function readList(
  inputs: readonly SourceInput[],
  context: Context,
): ReturnType<typeof readSources> {
  const faults: Faults = {}
  if (inputs.length > MOST_SOURCES) faults['sources'] = SOURCE_MESSAGES.most
  const known = new Map(context.stored.map((one) => [one.url, one.archivedUrl]))
  const seen = new Set<string>()
  const sources = inputs.slice(0, MOST_SOURCES).map((one, i) => {
    const note = (field: keyof SourceInput, message: string | null): void => {
      if (message !== null) faults[`sources.${String(i)}.${field}`] ??= message
    }
    const source = readOne(one, context, note)
    const key = addressKey(source.url)
    if (source.url !== '' && seen.has(key)) note('url', SOURCE_MESSAGES.twice)
    seen.add(key)
    const isChecked = one.archive_checked === true || known.get(source.url) === source.archivedUrl
    if (source.archivedUrl !== null) note('archived_url', archiveFault(source, isChecked))
    return source
  })
  // A single address may break the published order; an unchanged list keeps it.
  return { sources: areSameSources(sources, context.stored) ? sources : bestFirst(sources), faults }
}

function readOne(
  input: SourceInput,
  { handle, today }: Context,
  note: (field: keyof SourceInput, message: string | null) => void,
): Source & { readonly archivedUrl: string | null } {
  const url = input.url.trim()
  const [date, archivedUrl] = [cleanLine(input.date), cleanLine(input.archived_url)]
  const [text, speaker] = [cleanLine(input.quotation), cleanLine(input.speaker)]
  note('url', addressFault(url))
  const isDayFirst = /^(?:\d\d\/){1,2}\d{4}$/.test(date)
  const read = readPartialDay(isDayFirst ? date.split('/').toReversed().join('-') : date)
  if (date !== '' && read === null) note('date', SOURCE_MESSAGES.date)
  if (read !== null && read.first > today) note('date', SOURCE_MESSAGES.later)
  if (archivedUrl !== '') note('archived_url', addressFault(archivedUrl))
  note('quotation', textFault(text, LONGEST_SOURCE.quotation))
  note('speaker', textFault(speaker, LONGEST_SOURCE.speaker))
  if (text !== '' && speaker === '') note('speaker', SOURCE_MESSAGES.speaker)
  if (text === '' && speaker !== '') note('quotation', SOURCE_MESSAGES.words)
  const guessed = sourceAt(url, handle)
  return {
    kind: input.kind ?? guessed.kind,
    url,
    date: read === null ? guessed.date : isoDay(read.last).slice(0, CHARACTERS[read.precision]),
    archivedUrl: archivedUrl === '' ? null : archivedUrl,
    quotation: text === '' ? null : { text, speaker },
  }
}

function archiveFault({ url, archivedUrl }: Source, isChecked: boolean): string | null {
  if (archivedUrl === null) return null
  if (archivedUrl === url) return SOURCE_MESSAGES.sameAddress
  const page = archivedPage(archivedUrl)
  if (page === null) return isChecked ? null : SOURCE_MESSAGES.unknownArchive
  if (addressKey(page) === addressKey(url)) return null
  const { host, rest } = partsOfAddress(page)
  return `This is an archived copy of another page: ${truncate(`${host}${rest}`, 120)}.`
}

function addressFault(url: string): string | null {
  if (url === '') return SOURCE_MESSAGES.missing
  if (url.length > LONGEST_SOURCE.url) return tooLong(LONGEST_SOURCE.url)
  if (holdsSecretKey(url)) return SOURCE_MESSAGES.secretKey
  return readSourceAddress(url) === null ? SOURCE_MESSAGES.url : null
}

function textFault(text: string, most: number): string | null {
  if (text.length > most) return tooLong(most)
  return holdsSecretKey(text) ? SOURCE_MESSAGES.secretKey : null
}

function tooLong(most: number): string {
  return `Please use at most ${String(most)} characters.`
}

/**
 * Derives a source from its address. A post by the person's own account is `own` and dated by its id, an SEC page is a
 * filing, and anything else a report.
 *
 * @param handle of the person who made the prediction
 */
export function sourceAt(url: string, handle: string | null): Source {
  const day = postDay(url)
  return {
    kind: kindOf(url, handle),
    url,
    date: day === null ? null : isoDay(day),
    archivedUrl: null,
    quotation: null,
  }
}

function kindOf(url: string, handle: string | null): SourceKind {
  const author = readPostUrl(url)?.handle ?? null
  if (author !== null && handle !== null && foldHandle(author) === foldHandle(handle)) return 'own'
  return /(?:^|\.)sec\.gov$/.test(partsOfAddress(url).host) ? 'filing' : 'report'
}

const TRACKING = /^(?:utm_\w+|fbclid|gclid|igshid|ref_src|ref_url)=/i

/**
 * A key shared by all addresses of a page: without scheme, `www.`, trailing slash, fragment and tracking parameters;
 * posts and YouTube videos by id, archived copies by their original.
 */
export function addressKey(url: string): string {
  const page = archivedPage(url) ?? url
  const post = readPostUrl(page)
  if (post) return `post ${post.id}`
  const { host: named, rest } = partsOfAddress(page)
  const host = named.replace(/^(?:m|mobile|amp)\./, '')
  const video = videoOf(host, rest)
  if (video !== null) return `video ${video}`
  const [path = '', query = ''] = rest.split(/\?(.*)/s)
  const telling = query.split('&').filter((one) => one !== '' && !TRACKING.test(one))
  const suffix = telling.length === 0 ? '' : `?${telling.join('&')}`
  return host + path.replace(/\/+$/, '') + suffix
}

function videoOf(host: string, rest: string): string | null {
  const form =
    host === 'youtu.be'
      ? /^\/([\w-]{11})(?![\w-])/
      : host === 'youtube.com' || host === 'youtube-nocookie.com'
        ? /^\/(?:watch\/?\?(?:[^#]*&)?v=|(?:live|shorts|embed|v)\/)([\w-]{11})(?![\w-])/
        : null
  return form?.exec(rest)?.[1] ?? null
}

export function sourceKeys(sources: readonly Pick<Source, 'url'>[]): ReadonlySet<string> {
  return new Set(sources.map(({ url }) => addressKey(url)))
}

/** Splits an address into its lower-case host, without `www.` and port, and the rest without its fragment. */
export function partsOfAddress(url: string): { readonly host: string; readonly rest: string } {
  const [, host = '', rest = ''] = /^https?:\/\/([^/?#]+)([^#]*)/i.exec(url.trim()) ?? []
  return {
    host: host
      .toLowerCase()
      .replace(/^www\./, '')
      .replace(/:\d+$/, ''),
    rest,
  }
}

/** Archives whose addresses contain the original address. */
const WAYBACK: ReadonlySet<string> = new Set(['web.archive.org', 'archive.org'])
/** Names of one archive. Its short addresses, such as archive.ph/AbC12, do not contain the original. */
const ARCHIVE_TODAY: ReadonlySet<string> = new Set(
  ['today', 'ph', 'is', 'li', 'md', 'vn', 'fo'].map((end) => `archive.${end}`),
)

/**
 * The original address in an archived address: `web.archive.org/web/2020…/` or archive.today under any of its names.
 *
 * @returns null if the address does not contain it, as with perma.cc and short addresses
 */
export function archivedPage(url: string): string | null {
  const { host, rest } = partsOfAddress(url)
  const [, inner] = WAYBACK.has(host)
    ? (/^\/web\/\d{1,14}(?:[a-z]{2}_)?\/(.+)$/.exec(rest) ?? [])
    : ARCHIVE_TODAY.has(host)
      ? (/^\/(?:o\/\w+|\d{4,14}|\d{4}[\d.-]+|newest|oldest)\/(.+)$/.exec(rest) ?? [])
      : []
  if (inner === undefined) return null
  const whole = decoded(inner).replace(/^(https?:)\/+/i, '$1//')
  // Both archives also accept an address without a scheme.
  return /^https?:\/\//i.test(whole) ? whole : `http://${whole}`
}

function decoded(text: string): string {
  if (!/^https?%3a/i.test(text)) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
