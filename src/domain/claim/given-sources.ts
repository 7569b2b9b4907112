import { cleanLine } from '#domain/clean-text.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { readPartialDay } from '#domain/given-day.ts'
import { holdsSecretKey } from '#domain/publishing/nostr-key.ts'
import { readSourceAddress } from '#domain/web-address.ts'
import { archivedPage, partsOfAddress } from './archive.ts'
import { addressKey, sourceAt } from './source-address.ts'
import { areSameSources, bestFirst, MOST_SOURCES, type Source, type SourceKind } from './source.ts'

/** A source as a form, a file or a call carries it; missing values are null, empty or absent. */
type GivenSource = {
  /** Without it, it is read from the address where that is certain. */
  readonly kind?: SourceKind | null | undefined
  readonly url: string
  /** `2024-08-08` or `08/08/2024`, or `2024-08`, `08/2024` or `2024` when no more is known. */
  readonly date?: string | null | undefined
  readonly archived_url?: string | null | undefined
  /** That a person has seen that the archived address shows the same page, where it does not say so itself. */
  readonly archive_checked?: boolean | null | undefined
  readonly quotation?: string | null | undefined
  readonly speaker?: string | null | undefined
}

/** The sources of a form, a file or a call: the whole list, or the address of the best one alone. */
export type GivenSources = {
  readonly sources?: readonly GivenSource[] | null | undefined
  readonly source_url?: string | null | undefined
}

export const LONGEST_SOURCE = { url: 2_000, quotation: 400, speaker: 120 } as const

/** How much of `2024-08-08` is known. */
const SHOWN = { day: 10, month: 7, year: 4 } as const

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
  /** Of the person who said it. */
  readonly handle: string | null
  readonly today: Day
  /** The sources as they are now, best first. */
  readonly stored: readonly Source[]
}

/**
 * Reads sources and sorts them best first. A list replaces those that are stored; an address alone comes first
 * ({@link withAddress}), and empty takes the best one away.
 *
 * @returns `faults` by field: `sources.1.date`, or `source_url` where that was given
 */
export function readGivenSources(
  given: GivenSources,
  context: Context,
): { readonly sources: readonly Source[]; readonly faults: Readonly<Faults> } {
  const { sources, source_url: url } = given
  if (sources !== null && sources !== undefined) return readList(sources, context)
  if (url === undefined) return { sources: context.stored, faults: {} }
  return readLone((url ?? '').trim(), context)
}

function readLone(url: string, { handle, stored }: Context): ReturnType<typeof readGivenSources> {
  const [best, ...others] = stored
  if (url === (best?.url ?? '')) return { sources: stored, faults: {} }
  if (url === '') return { sources: others, faults: {} }
  const fault = addressFault(url)
  if (fault !== null) return { sources: stored, faults: { source_url: fault } }
  return { sources: withAddress(stored, sourceAt(url, handle)), faults: {} }
}

/**
 * The sources after an address alone was given: it comes first. A page that is in the list keeps what is known of it, and
 * so do all others; a new page takes the place of the best one.
 *
 * @param given what the address says of itself; see {@link sourceAt}
 */
export function withAddress(stored: readonly Source[], given: Source): readonly Source[] {
  const key = addressKey(given.url)
  const known = stored.find((one) => addressKey(one.url) === key)
  if (!known) return [given, ...stored.slice(1)]
  return [
    {
      ...known,
      // A report is what nothing better is known of.
      kind: known.kind === 'report' ? given.kind : known.kind,
      // The copy of a page does not take the place of the page.
      url: isCopy(given.url) && !isCopy(known.url) ? known.url : given.url,
      date: known.date ?? given.date,
    },
    ...stored.filter((one) => one !== known),
  ]
}

/** Whether an address is that of an archived copy of a page. */
function isCopy(url: string): boolean {
  return archivedPage(url) !== null
}

function readList(
  given: readonly GivenSource[],
  context: Context,
): ReturnType<typeof readGivenSources> {
  const faults: Faults = {}
  if (given.length > MOST_SOURCES) faults['sources'] = SOURCE_MESSAGES.most
  const known = new Map(context.stored.map((one) => [one.url, one.archivedUrl]))
  const seen = new Set<string>()
  const sources = given.slice(0, MOST_SOURCES).map((one, i) => {
    const note = (field: keyof GivenSource, message: string | null): void => {
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
  // An address given alone may be first although the published order says otherwise: a list that is sent unchanged keeps that order.
  return { sources: areSameSources(sources, context.stored) ? sources : bestFirst(sources), faults }
}

function readOne(
  given: GivenSource,
  { handle, today }: Context,
  note: (field: keyof GivenSource, message: string | null) => void,
): Source & { readonly archivedUrl: string | null } {
  const url = given.url.trim()
  const [date, archivedUrl] = [cleanLine(given.date), cleanLine(given.archived_url)]
  const [text, speaker] = [cleanLine(given.quotation), cleanLine(given.speaker)]
  note('url', addressFault(url))
  const read = readPartialDay(isoOrder(date))
  if (date !== '' && read === null) note('date', SOURCE_MESSAGES.date)
  if (read !== null && read.first > today) note('date', SOURCE_MESSAGES.later)
  if (archivedUrl !== '') note('archived_url', addressFault(archivedUrl))
  note('quotation', textFault(text, LONGEST_SOURCE.quotation))
  note('speaker', textFault(speaker, LONGEST_SOURCE.speaker))
  if (text !== '' && speaker === '') note('speaker', SOURCE_MESSAGES.speaker)
  if (text === '' && speaker !== '') note('quotation', SOURCE_MESSAGES.words)
  const guessed = sourceAt(url, handle)
  return {
    kind: given.kind ?? guessed.kind,
    url,
    date: read === null ? guessed.date : isoDay(read.last).slice(0, SHOWN[read.precision]),
    archivedUrl: archivedUrl === '' ? null : archivedUrl,
    quotation: text === '' ? null : { text, speaker },
  }
}

/** A date that begins with its day or month, as this site shows dates, in the order of those that begin with the year. */
function isoOrder(date: string): string {
  return /^(?:\d\d\/){1,2}\d{4}$/.test(date) ? date.split('/').toReversed().join('-') : date
}

/** What is wrong with an archived address beside the address of the source. */
function archiveFault({ url, archivedUrl }: Source, isChecked: boolean): string | null {
  if (archivedUrl === null) return null
  if (archivedUrl === url) return SOURCE_MESSAGES.sameAddress
  const page = archivedPage(archivedUrl)
  if (page === null) return isChecked ? null : SOURCE_MESSAGES.unknownArchive
  if (addressKey(page) === addressKey(url)) return null
  const { host, rest } = partsOfAddress(page)
  const shown = `${host}${rest}`
  return `This is an archived copy of another page: ${shown.length > 120 ? `${shown.slice(0, 120)}…` : shown}.`
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
