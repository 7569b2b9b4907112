import { dayOf } from '#domain/day.ts'
import { describe, expect, it } from 'vitest'
import { readGivenSources, SOURCE_MESSAGES, type GivenSources } from './given-sources.ts'
import { MOST_SOURCES, type Source } from './source.ts'

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

function read(given: GivenSources, stored: readonly Source[] = [], handle: string | null = '@ada') {
  return readGivenSources(given, { handle, today: dayOf(2024, 8, 8), stored })
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
  it('replaces those that are stored, best first', () => {
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

  it('takes ten, and sends back the eleventh', () => {
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

  it('a page that is in it twice is refused at the second place', () => {
    const sources = [{ url: PAGE }, { url: 'https://archive.today/2024/http://m.example.com/said' }]
    expect(read({ sources }).faults).toEqual({ 'sources.1.url': SOURCE_MESSAGES.twice })
  })
})
