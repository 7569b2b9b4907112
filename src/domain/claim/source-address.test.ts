import { expect, it } from 'vitest'
import { archivedPage } from './archive.ts'
import { addressKey, sourceAt } from './source-address.ts'
import { bestFirst, isKnownFromReposts, type Source } from './source.ts'

const PAGE = 'https://example.com/said?id=7'
const POST = 'https://x.com/ada/status/1742000000000000000'

it.each<[string, string, string, boolean]>([
  ['http', PAGE, 'http://example.com/said?id=7', true],
  ['www', PAGE, 'https://www.example.com/said?id=7', true],
  ['a mobile host', PAGE, 'https://m.example.com/said?id=7', true],
  ['a slash at the end', PAGE, 'https://example.com/said/?id=7', true],
  ['a fragment', PAGE, `${PAGE}#top`, true],
  ['tracking parameters', PAGE, 'https://example.com/said?utm_source=x&id=7&fbclid=abc', true],
  ['the case of the host', PAGE, 'HTTPS://Example.COM/said?id=7', true],
  ['the case of the path', PAGE, 'https://example.com/Said?id=7', false],
  ['another parameter', PAGE, 'https://example.com/said?id=8', false],
  ['another path', PAGE, 'https://example.com/said/more?id=7', false],
  ['another host', PAGE, 'https://news.example.com/said?id=7', false],
  ['the home page with a slash', 'https://example.com', 'https://example.com/', true],
  ['twitter.com', POST, 'https://twitter.com/ada/status/1742000000000000000?s=20', true],
  ['another name before the number', POST, 'https://x.com/i/status/1742000000000000000', true],
  ['another post', POST, 'https://x.com/ada/status/1742000000000000001', false],
  ['an archived copy', PAGE, `https://web.archive.org/web/20240101000000/${PAGE}`, true],
  [
    'an archived copy of another page',
    PAGE,
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
  [`https://web.archive.org/web/20240101123456/${PAGE}`, PAGE],
  [`http://www.web.archive.org/web/2024/${PAGE}`, PAGE],
  [`https://web.archive.org/web/20240101123456id_/${PAGE}`, PAGE],
  [`https://web.archive.org/web/20240101123456if_/${PAGE}`, PAGE],
  ['https://web.archive.org/web/2024/example.com/said', 'http://example.com/said'],
  ['https://web.archive.org/web/2024/https:/example.com/said', 'https://example.com/said'],
  ['https://web.archive.org/web/2024/https%3A%2F%2Fexample.com%2Fsaid', 'https://example.com/said'],
  [
    'https://web.archive.org/web/2024/https%3A%2F%2Fexample.com%2',
    'http://https%3A%2F%2Fexample.com%2',
  ],
  ['https://web.archive.org/details/some-book', null],
  [`https://archive.today/20240101123456/${PAGE}`, PAGE],
  [`https://archive.ph/2024.01.01-123456/${PAGE}`, PAGE],
  [`https://archive.is/newest/${PAGE}`, PAGE],
  [`https://archive.md/o/AbC12/${PAGE}`, PAGE],
  ['https://archive.ph/AbC12', null],
  ['https://perma.cc/AB12-CD34', null],
  [`https://evil-archive.ph/2024/${PAGE}`, null],
  [PAGE, null],
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

it('what is known only from reposts has sources, and no other', () => {
  const repost: Source = { ...sourceAt(PAGE, null), kind: 'repost' }
  expect(isKnownFromReposts([])).toBe(false)
  expect(isKnownFromReposts([repost])).toBe(true)
  expect(isKnownFromReposts([repost, sourceAt(POST, null)])).toBe(false)
})
