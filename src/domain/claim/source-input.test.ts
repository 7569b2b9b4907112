import { expect, it } from 'vitest'
import { dayOf } from '#domain/day.ts'
import { words } from '#tests/support/words.ts'
import {
  readSources,
  SOURCE_MESSAGES,
  type SourcesInput,
  addressKey,
  archivedPage,
  sourceAt,
} from './source-input.ts'
import { MOST_SOURCES, type Source, bestFirst, isKnownFromReposts } from './source.ts'

const PAGE = 'https://example.com/said'
const KNOWN: Source = {
  kind: 'interview',
  url: PAGE,
  date: '2024-05',
  archivedUrl: 'https://archive.ph/AbC12',
  quotation: { text: 'It goes up.', speaker: 'Ada' },
}
const bare = (url: string, part: Partial<Source> = {}): Source => {
  return { kind: 'report', url, date: null, archivedUrl: null, quotation: null, ...part }
}
const POST = 'https://x.com/ada/status/1742000000000000000'
const COPY = `https://web.archive.org/web/2024/${PAGE}`
const COPIED = { ...KNOWN, archivedUrl: COPY }
const OWN = bare(POST, { kind: 'own' })
const OTHER = bare('https://example.com/other', { kind: 'repost' })

function read(input: SourcesInput, stored: readonly Source[] = [], handle: string | null = '@ada') {
  return readSources(input, { handle, today: dayOf(2024, 8, 8), stored })
}

const OLD = 'http://www.example.com/said/?utm_source=x#top'
const NEW = 'https://example.org/new'
it.each<[string, string | null | undefined, readonly Source[], readonly Source[]]>([
  ['that is missing changes nothing', undefined, [KNOWN, OTHER], [KNOWN, OTHER]],
  ['that is the same changes nothing', ` ${PAGE} `, [KNOWN, OTHER], [KNOWN, OTHER]],
  ['that is empty removes the best source', '', [KNOWN, OTHER], [OTHER]],
  ['that is null removes it, too', null, [KNOWN], []],
  ['that is empty adds nothing', '', [], []],
  ['that is the first one is added', PAGE, [], [bare(PAGE)]],
  ['in another spelling keeps its details', OLD, [KNOWN, OTHER], [{ ...KNOWN, url: OLD }, OTHER]],
  ['of a page further down comes first', PAGE, [OWN, KNOWN, OTHER], [KNOWN, OWN, OTHER]],
  ['that is new replaces the best one', NEW, [OWN, KNOWN], [bare(NEW), KNOWN]],
  ['that is the known copy adds nothing', COPY, [COPIED], [COPIED]],
  ['that is another archived copy adds nothing', COPY, [KNOWN], [KNOWN]],
  [
    'that contains more details adds them',
    POST,
    [bare(POST.replace('x.com/ada', 'twitter.com/i'), { archivedUrl: 'https://a.ph/1' })],
    [{ ...OWN, date: '2024-01-02', archivedUrl: 'https://a.ph/1' }],
  ],
])('an address alone %s', (_, source_url, stored, expected) => {
  expect(read({ source_url }, stored)).toEqual({ sources: expected, faults: {} })
})

it.each<[string, string, RegExp]>([
  ['a script', 'javascript:alert(1)', /web address/],
  ['a password', 'https://me:secret@example.org/', /without a name or password/],
  ['one that is too long', `${PAGE}?q=${'x'.repeat(2_000)}`, /at most 2000 characters/],
])('an address alone, %s, is refused, and nothing changes', (_, source_url, message) => {
  const faults = { source_url: expect.stringMatching(message) }
  expect(read({ source_url }, [KNOWN])).toEqual({ sources: [KNOWN], faults })
})

it('a list replaces the stored sources, best first', () => {
  const FILED = 'https://www.sec.gov/f'
  const found = read({ sources: [{ url: PAGE, kind: 'repost' }, { url: FILED }] }, [KNOWN])
  const sources = [bare(FILED, { kind: 'filing' }), bare(PAGE, { kind: 'repost' })]
  expect(found).toEqual({ sources, faults: {} })
})

it('a list accepts ten and rejects the eleventh', () => {
  const many = (n: number) =>
    Array.from({ length: n }, (_, i) => ({ url: `https://example.com/${String(i)}` }))
  expect(read({ sources: many(MOST_SOURCES) }).faults).toEqual({})
  const { faults } = read({ sources: many(MOST_SOURCES + 1) })
  expect(faults).toEqual({ sources: SOURCE_MESSAGES.most })
})

const ELSE = 'https://archive.ph/20240101/https://example.com/else'
it.each<[object, string, string]>([
  [{ url: ' ' }, 'url', SOURCE_MESSAGES.missing],
  [{ url: `${PAGE}?${'x'.repeat(2_000)}` }, 'url', 'at most 2000 characters'],
  [{ date: '2024-02-30' }, 'date', SOURCE_MESSAGES.date],
  [{ date: '02/13/2024' }, 'date', SOURCE_MESSAGES.date],
  [{ date: '2024-08-09' }, 'date', SOURCE_MESSAGES.later],
  [{ date: '2024-09' }, 'date', SOURCE_MESSAGES.later],
  [{ quotation: 'Up.' }, 'speaker', SOURCE_MESSAGES.speaker],
  [{ speaker: 'Ada' }, 'quotation', SOURCE_MESSAGES.words],
  [{ quotation: 'x'.repeat(401), speaker: 'Ada' }, 'quotation', 'at most 400 characters'],
  [{ quotation: 'Up.', speaker: 'x'.repeat(121) }, 'speaker', 'at most 120 characters'],
  [{ archived_url: PAGE }, 'archived_url', SOURCE_MESSAGES.sameAddress],
  [{ archived_url: ELSE }, 'archived_url', 'copy of another page: example.com/else.'],
  [{ archived_url: ELSE, archive_checked: true }, 'archived_url', 'copy of another page'],
  [{ archived_url: 'https://archive.ph/XyZ99' }, 'archived_url', SOURCE_MESSAGES.unknownArchive],
])('a list refuses %j', (part, field, message) => {
  const { faults } = read({ sources: [{ url: PAGE, ...part }] })
  const at = `sources.0.${field}`
  expect(Object.keys(faults)).toEqual([at])
  expect(faults[at]).toContain(message)
})

const PERMA = 'https://perma.cc/AB12-CD34'
it.each<[object, Partial<Source>]>([
  [{ date: '2024-08-08' }, { date: '2024-08-08' }],
  [{ date: '2024-8' }, { date: '2024-08' }],
  [{ date: '07/08/2024' }, { date: '2024-08-07' }],
  [{ date: '03/2024' }, { date: '2024-03' }],
  [{ date: '2019' }, { date: '2019' }],
  [{ quotation: ' It\ngoes\u202e up. ', speaker: 'Ada' }, { quotation: KNOWN.quotation }],
  [{ archived_url: KNOWN.archivedUrl }, { archivedUrl: KNOWN.archivedUrl }],
  [{ archived_url: PERMA, archive_checked: true }, { archivedUrl: PERMA }],
])('a list takes %j', (part, expected) => {
  const found = read({ sources: [{ url: PAGE, ...part }] }, [KNOWN])
  expect(found).toEqual({ sources: [bare(PAGE, expected)], faults: {} })
})

it('a duplicate page is refused at its second position', () => {
  const sources = [{ url: PAGE }, { url: 'https://archive.today/2024/http://m.example.com/said' }]
  expect(read({ sources }).faults).toEqual({ 'sources.1.url': SOURCE_MESSAGES.twice })
})

const QUERIED = 'https://example.com/said?id=7'

const VIDEO = 'https://m.youtube.com/watch?v=dQw4w9WgXcQ'
it.each<readonly [string, string, boolean]>([
  ...words(`
    http://example.com/said?id=7 https://www.example.com/said?id=7 https://m.example.com/said?id=7
    https://example.com/said/?id=7 ${QUERIED}#top HTTPS://Example.COM/said?id=7
    https://example.com/said?utm_source=x&id=7&fbclid=abc
    https://web.archive.org/web/20240101000000/${QUERIED}
  `).map((same) => [QUERIED, same, true] as const),
  ...words(`
    https://example.com/Said?id=7 https://example.com/said?id=8 https://example.com/said/more?id=7
    https://news.example.com/said?id=7 https://archive.ph/2024/https://example.com/x
  `).map((other) => [QUERIED, other, false] as const),
  ['https://example.com', 'https://example.com/', true],
  [POST, 'https://twitter.com/ada/status/1742000000000000000?s=20', true],
  [POST, 'https://x.com/i/status/1742000000000000000', true],
  [POST, 'https://x.com/ada/status/1742000000000000001', false],
  [POST, `https://archive.today/2024/${POST.replace('x.com', 'twitter.com')}`, true],
  ['https://youtu.be/dQw4w9WgXcQ?si=abc', `${VIDEO}&t=42`, true],
  ['https://www.youtube.com/live/dQw4w9WgXcQ', VIDEO.replace('?', '?app=desktop&'), true],
  [VIDEO, 'https://youtu.be/dQw4w9WgXcR', false],
  ['https://www.youtube.com/playlist?list=a', 'https://www.youtube.com/playlist?list=b', false],
])('%s and %s have one key: %s', (a, b, isSame) => {
  expect(addressKey(a) === addressKey(b)).toBe(isSame)
})

it.each<[string, string | null]>([
  [`https://web.archive.org/web/20240101123456/${QUERIED}`, QUERIED],
  [`http://www.web.archive.org/web/2024/${QUERIED}`, QUERIED],
  [`https://web.archive.org/web/20240101123456id_/${QUERIED}`, QUERIED],
  [`https://web.archive.org/web/20240101123456if_/${QUERIED}`, QUERIED],
  ['https://web.archive.org/web/2024/example.com/said', 'http://example.com/said'],
  ['https://web.archive.org/web/2024/https:/example.com/said', 'https://example.com/said'],
  ['https://web.archive.org/web/2024/https%3A%2F%2Fexample.com%2Fsaid', 'https://example.com/said'],
  ['https://web.archive.org/web/2024/https%3A%2F%2Fa.com%2', 'http://https%3A%2F%2Fa.com%2'],
  ['https://web.archive.org/details/some-book', null],
  [`https://archive.today/20240101123456/${QUERIED}`, QUERIED],
  [`https://archive.ph/2024.01.01-123456/${QUERIED}`, QUERIED],
  [`https://archive.is/newest/${QUERIED}`, QUERIED],
  [`https://archive.md/o/AbC12/${QUERIED}`, QUERIED],
  ['https://archive.ph/AbC12', null],
  ['https://perma.cc/AB12-CD34', null],
  [`https://evil-archive.ph/2024/${QUERIED}`, null],
  [QUERIED, null],
])('the page of the archived copy %s', (url, page) => {
  expect(archivedPage(url)).toBe(page)
})

it.each<[string, string | null, Pick<Source, 'kind' | 'date'>]>([
  [POST, '@Ada', { kind: 'own', date: '2024-01-02' }],
  [POST, '@bob', { kind: 'report', date: '2024-01-02' }],
  [POST, null, { kind: 'report', date: '2024-01-02' }],
  ['https://www.sec.gov/Archives/x', '@ada', { kind: 'filing', date: null }],
  ['https://notsec.gov/x', '@ada', { kind: 'report', date: null }],
])('%s by %s', (url, handle, expected) => {
  expect(sourceAt(url, handle)).toMatchObject({ url, archivedUrl: null, ...expected })
})

it('sources are sorted by kind, then those with an archived copy, then the earlier date', () => {
  const one = (url: string, part: Partial<Source> = {}) => ({ ...sourceAt(url, null), ...part })
  const sorted = [
    one('own', { kind: 'own' }),
    one('filing', { kind: 'filing' }),
    one('interview', { kind: 'interview' }),
    one('archived', { archivedUrl: 'copy', date: '2024' }),
    one('day', { date: '2023-12-30' }),
    one('month', { date: '2023-12' }),
    one('later', { date: '2024-01-01' }),
    one('year', { date: '2024' }),
    one('undated'),
    one('undated, given later'),
    one('repost', { kind: 'repost', archivedUrl: 'copy', date: '2011' }),
  ]
  const moved = [10, 3, 8, 1, 6, 0, 9, 5, 2, 7, 4].flatMap((i) => sorted[i] ?? [])
  expect(bestFirst(moved)).toEqual(sorted)
})

it('a prediction known only from reposts has no other sources', () => {
  const repost: Source = { ...sourceAt(QUERIED, null), kind: 'repost' }
  expect(isKnownFromReposts([])).toBe(false)
  expect(isKnownFromReposts([repost])).toBe(true)
  expect(isKnownFromReposts([repost, sourceAt(POST, null)])).toBe(false)
})
