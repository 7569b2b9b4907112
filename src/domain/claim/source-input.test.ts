import { expect, it } from 'vitest'
import { dayOf } from '#domain/day.ts'
import { jsonPart, storedCases } from '#tests/support/stored-cases.ts'
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
const POST = 'https://x.com/ada/status/1742000000000000000'
const bare = (url: string, part: Partial<Source> = {}): Source => {
  return { kind: 'report', url, date: null, archivedUrl: null, quotation: null, ...part }
}
const known = bare(PAGE, {
  kind: 'interview',
  date: '2024-05',
  archivedUrl: 'https://archive.ph/AbC12',
  quotation: { text: 'It goes up.', speaker: 'Ada' },
})
const STORED: Readonly<Record<string, Source>> = {
  known,
  copied: { ...known, archivedUrl: `https://web.archive.org/web/2024/${PAGE}` },
  own: bare(POST, { kind: 'own' }),
  dated: bare(POST, { kind: 'own', date: '2024-01-03' }),
  other: bare('https://example.com/other', { kind: 'repost' }),
  'bare-post': bare(POST.replace('x.com/ada', 'twitter.com/i'), {
    archivedUrl: 'https://a.ph/1',
  }),
}

/** What is known of each source, or else the faults. */
function read(input: SourcesInput, stored: readonly Source[] = []): unknown {
  const found = readSources(input, { handle: '@ada', today: dayOf(2024, 8, 8), stored })
  const sources = found.sources.map((source) =>
    Object.fromEntries(Object.entries(source).filter(([, value]) => value !== null)),
  )
  return Object.keys(found.faults).length > 0 ? { faults: found.faults, sources } : sources
}

it('sources are read and compared as stored', () =>
  storedCases('source-input', {
    'an address alone, with these sources stored': (names, text) => {
      const stored = names.split(' ').flatMap((name) => STORED[name] ?? [])
      const source_url = text === 'null' ? null : text
      return read(text === 'missing' ? {} : { source_url }, stored)
    },
    'a list, with the known source stored': (list) => {
      const sources = jsonPart<object[]>(list).map((part) => ({ url: PAGE, ...part }))
      return read({ sources }, [known])
    },
    'the key of an address': addressKey,
    'the page of an archived copy': archivedPage,
    'a source at an address, by a person with this handle': (url, handle) => {
      const { kind, date, archivedUrl } = sourceAt(url, handle === 'none' ? null : handle)
      return { kind, date, archivedUrl }
    },
  }))

it('a list accepts ten and rejects the eleventh', () => {
  const many = (n: number) =>
    Array.from({ length: n }, (_, i) => ({ url: `https://example.com/${String(i)}` }))
  expect(read({ sources: many(MOST_SOURCES) })).toHaveLength(MOST_SOURCES)
  const faults = { sources: SOURCE_MESSAGES.most }
  expect(read({ sources: many(MOST_SOURCES + 1) })).toMatchObject({ faults })
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
  const repost: Source = { ...sourceAt(PAGE, null), kind: 'repost' }
  expect(isKnownFromReposts([])).toBe(false)
  expect(isKnownFromReposts([repost])).toBe(true)
  expect(isKnownFromReposts([repost, sourceAt(POST, null)])).toBe(false)
})
