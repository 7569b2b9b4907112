import { dayOf } from '#domain/day.ts'
import { describe, expect, it } from 'vitest'
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
const bare = (url: string, part: Partial<Source> = {}): Source => ({
  kind: 'report',
  url,
  date: null,
  archivedUrl: null,
  quotation: null,
  ...part,
})
const OTHER = bare('https://example.com/other', { kind: 'repost' })

function read(input: SourcesInput, stored: readonly Source[] = [], handle: string | null = '@ada') {
  return readSources(input, { handle, today: dayOf(2024, 8, 8), stored })
}

describe('an address alone', () => {
  it.each<[string, string | null | undefined, readonly Source[], readonly Source[]]>([
    ['not given changes nothing', undefined, [KNOWN, OTHER], [KNOWN, OTHER]],
    ['the same changes nothing', ` ${PAGE} `, [KNOWN, OTHER], [KNOWN, OTHER]],
    ['empty takes the best one away', '', [KNOWN, OTHER], [OTHER]],
    ['null does, too', null, [KNOWN], []],
    ['empty, without any source,', '', [], []],
    ['the first one', PAGE, [], [bare(PAGE)]],
    [
      'the same page written in another way keeps its details',
      'http://www.example.com/said/?utm_source=x#top',
      [KNOWN, OTHER],
      [{ ...KNOWN, url: 'http://www.example.com/said/?utm_source=x#top' }, OTHER],
    ],
    [
      'a page further down comes first with its details, and none is lost',
      PAGE,
      [bare('https://x.com/ada/status/1742000000000000000', { kind: 'own' }), KNOWN, OTHER],
      [KNOWN, bare('https://x.com/ada/status/1742000000000000000', { kind: 'own' }), OTHER],
    ],
    [
      'a new page takes the place of the best one, before better kinds',
      'https://example.org/new',
      [bare(PAGE, { kind: 'own' }), KNOWN],
      [bare('https://example.org/new'), KNOWN],
    ],
    [
      'the archived copy that is known is no other page',
      'https://web.archive.org/web/2024/https://example.com/said',
      [{ ...KNOWN, archivedUrl: 'https://web.archive.org/web/2024/https://example.com/said' }],
      [{ ...KNOWN, archivedUrl: 'https://web.archive.org/web/2024/https://example.com/said' }],
    ],
    [
      'another archived copy of a page does not take its place either',
      'https://web.archive.org/web/2024/https://example.com/said',
      [KNOWN],
      [KNOWN],
    ],
    [
      'what the address says of itself is added to what is known',
      'https://x.com/ada/status/1742000000000000000',
      [bare('https://twitter.com/i/status/1742000000000000000', { archivedUrl: 'https://a.ph/1' })],
      [
        bare('https://x.com/ada/status/1742000000000000000', {
          kind: 'own',
          date: '2024-01-02',
          archivedUrl: 'https://a.ph/1',
        }),
      ],
    ],
  ])('%s', (_, source_url, stored, expected) => {
    expect(read({ source_url }, stored)).toEqual({ sources: expected, faults: {} })
  })

  it.each<[string, string, RegExp]>([
    ['a script', 'javascript:alert(1)', /web address/],
    ['a password', 'https://me:secret@example.org/', /without a name or password/],
    ['one that is too long', `${PAGE}?q=${'x'.repeat(2_000)}`, /at most 2000 characters/],
  ])('%s is refused, and nothing changes', (_, source_url, message) => {
    const { sources, faults } = read({ source_url }, [KNOWN])
    expect(sources).toEqual([KNOWN])
    expect(faults).toEqual({ source_url: expect.stringMatching(message) })
  })
})

describe('a list', () => {
  it('replaces the stored sources, best first', () => {
    const { sources, faults } = read(
      { sources: [{ url: PAGE, kind: 'repost' }, { url: 'https://www.sec.gov/f' }] },
      [KNOWN],
    )
    expect(faults).toEqual({})
    expect(sources).toEqual([
      bare('https://www.sec.gov/f', { kind: 'filing' }),
      bare(PAGE, { kind: 'repost' }),
    ])
  })

  it('accepts ten and rejects the eleventh', () => {
    const many = (n: number) =>
      Array.from({ length: n }, (_, i) => ({ url: `https://example.com/${String(i)}` }))
    expect(read({ sources: many(MOST_SOURCES) }).faults).toEqual({})
    expect(read({ sources: many(MOST_SOURCES + 1) }).faults).toEqual({
      sources: SOURCE_MESSAGES.most,
    })
  })

  it.each<[string, object, string, string]>([
    ['no address', { url: ' ' }, 'url', SOURCE_MESSAGES.missing],
    ['a long address', { url: `${PAGE}?${'x'.repeat(2_000)}` }, 'url', 'at most 2000 characters'],
    ['no date', { date: '2024-02-30' }, 'date', SOURCE_MESSAGES.date],
    ['a month before its day', { date: '02/13/2024' }, 'date', SOURCE_MESSAGES.date],
    ['tomorrow', { date: '2024-08-09' }, 'date', SOURCE_MESSAGES.later],
    ['next month', { date: '2024-09' }, 'date', SOURCE_MESSAGES.later],
    ['words without a name', { quotation: 'Up.' }, 'speaker', SOURCE_MESSAGES.speaker],
    ['a name without words', { speaker: 'Ada' }, 'quotation', SOURCE_MESSAGES.words],
    [
      'long words',
      { quotation: 'x'.repeat(401), speaker: 'Ada' },
      'quotation',
      'at most 400 characters',
    ],
    [
      'a long name',
      { quotation: 'Up.', speaker: 'x'.repeat(121) },
      'speaker',
      'at most 120 characters',
    ],
    [
      'a copy at the address itself',
      { archived_url: PAGE },
      'archived_url',
      SOURCE_MESSAGES.sameAddress,
    ],
    [
      'a copy of another page',
      { archived_url: 'https://archive.ph/20240101/https://example.com/else' },
      'archived_url',
      'This is an archived copy of another page: example.com/else.',
    ],
    [
      'a copy of another page, though a person has confirmed it',
      {
        archived_url: 'https://archive.ph/20240101/https://example.com/else',
        archive_checked: true,
      },
      'archived_url',
      'This is an archived copy of another page: example.com/else.',
    ],
    [
      'a copy that does not say of what',
      { archived_url: 'https://archive.ph/XyZ99' },
      'archived_url',
      SOURCE_MESSAGES.unknownArchive,
    ],
  ])('refuses %s', (_, part, field, message) => {
    const { faults } = read({ sources: [{ url: PAGE, ...part }] })
    const at = `sources.0.${field}`
    expect(Object.keys(faults)).toEqual([at])
    expect(faults[at]).toContain(message)
  })

  it.each<[string, object, Partial<Source>]>([
    ['today', { date: '2024-08-08' }, { date: '2024-08-08' }],
    ['the month that is not over', { date: '2024-8' }, { date: '2024-08' }],
    ['a day as it is shown', { date: '07/08/2024' }, { date: '2024-08-07' }],
    ['a month as it is shown', { date: '03/2024' }, { date: '2024-03' }],
    ['a year', { date: '2019' }, { date: '2019' }],
    [
      'words',
      { quotation: ' It\ngoes\u202e up. ', speaker: 'Ada' },
      { quotation: KNOWN.quotation },
    ],
    [
      'a copy that is stored already',
      { archived_url: KNOWN.archivedUrl },
      { archivedUrl: KNOWN.archivedUrl },
    ],
    [
      'a confirmed copy',
      { archived_url: 'https://perma.cc/AB12-CD34', archive_checked: true },
      { archivedUrl: 'https://perma.cc/AB12-CD34' },
    ],
  ])('takes %s', (_, part, expected) => {
    const { sources, faults } = read({ sources: [{ url: PAGE, ...part }] }, [KNOWN])
    expect(faults).toEqual({})
    expect(sources).toEqual([bare(PAGE, expected)])
  })

  it('a duplicate page is refused at its second position', () => {
    const sources = [{ url: PAGE }, { url: 'https://archive.today/2024/http://m.example.com/said' }]
    expect(read({ sources }).faults).toEqual({ 'sources.1.url': SOURCE_MESSAGES.twice })
  })
})

const QUERIED = 'https://example.com/said?id=7'
const POST = 'https://x.com/ada/status/1742000000000000000'

it.each<[string, string, string, boolean]>([
  ['http', QUERIED, 'http://example.com/said?id=7', true],
  ['www', QUERIED, 'https://www.example.com/said?id=7', true],
  ['a mobile host', QUERIED, 'https://m.example.com/said?id=7', true],
  ['a slash at the end', QUERIED, 'https://example.com/said/?id=7', true],
  ['a fragment', QUERIED, `${QUERIED}#top`, true],
  ['tracking parameters', QUERIED, 'https://example.com/said?utm_source=x&id=7&fbclid=abc', true],
  ['the case of the host', QUERIED, 'HTTPS://Example.COM/said?id=7', true],
  ['the case of the path', QUERIED, 'https://example.com/Said?id=7', false],
  ['another parameter', QUERIED, 'https://example.com/said?id=8', false],
  ['another path', QUERIED, 'https://example.com/said/more?id=7', false],
  ['another host', QUERIED, 'https://news.example.com/said?id=7', false],
  ['the home page with a slash', 'https://example.com', 'https://example.com/', true],
  ['twitter.com', POST, 'https://twitter.com/ada/status/1742000000000000000?s=20', true],
  ['another name before the number', POST, 'https://x.com/i/status/1742000000000000000', true],
  ['another post', POST, 'https://x.com/ada/status/1742000000000000001', false],
  ['an archived copy', QUERIED, `https://web.archive.org/web/20240101000000/${QUERIED}`, true],
  [
    'an archived copy of another page',
    QUERIED,
    'https://archive.ph/2024/https://example.com/x',
    false,
  ],
  [
    'an archived post',
    POST,
    'https://archive.today/2024/https://twitter.com/ada/status/1742000000000000000',
    true,
  ],
  [
    'a short video address',
    'https://youtu.be/dQw4w9WgXcQ?si=abc',
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=42',
    true,
  ],
  [
    'a live video',
    'https://www.youtube.com/live/dQw4w9WgXcQ',
    'https://m.youtube.com/watch?app=desktop&v=dQw4w9WgXcQ',
    true,
  ],
  ['another video', 'https://youtu.be/dQw4w9WgXcQ', 'https://youtu.be/dQw4w9WgXcR', false],
  [
    'a list of videos',
    'https://www.youtube.com/playlist?list=a',
    'https://www.youtube.com/playlist?list=b',
    false,
  ],
])('the key of an address: %s', (_, a, b, isSame) => {
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
  [
    'https://web.archive.org/web/2024/https%3A%2F%2Fexample.com%2',
    'http://https%3A%2F%2Fexample.com%2',
  ],
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
  const one = (url: string, part: Partial<Source> = {}): Source => ({
    ...sourceAt(url, null),
    ...part,
  })
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
