import { expect, it } from 'vitest'
import { isoDay } from '#domain/day.ts'
import { words } from '#tests/support/words.ts'
import { addressesIn, postDay, postTime, postUrlFault, readPostUrl } from './post-url.ts'

const ID = '1212092628029698048'

it.each<[string, string | null]>([
  [`https://x.com/someone/status/${ID}`, '@someone'],
  ...words(`
    http://x.com/someone/status/${ID} x.com/someone/status/${ID}
    https://twitter.com/someone/statuses/${ID}/ https://m.twitter.com/someone/status/${ID}#m
    https://mobile.twitter.com/someone/status/${ID}?s=20&t=abc
    https://x.com/someone/status/${ID}/photo/1 https://x.com/someone/status/${ID}/video/1?mx=2
    https://x.com/someone/status/${ID}/analytics https://fxtwitter.com/someone/status/${ID}
    https://vxtwitter.com/someone/status/${ID} https://fixupx.com/someone/status/${ID}
    https://nitter.net/someone/status/${ID}#m
  `).map((url): [string, string] => [url, '@someone']),
  [`HTTPS://WWW.X.COM/Some_One/status/${ID}`, '@Some_One'],
  [`https://x.com/i/web/status/${ID}`, null],
  [`https://x.com/i/status/${ID}`, null],
  [`  https://x.com/someone/status/${ID}\n`, '@someone'],
])('the address of a post is read from %s', (text, handle) => {
  const read = readPostUrl(text)
  expect(read?.id).toBe(ID)
  expect(read?.url).toBe(`https://x.com/${handle?.slice(1) ?? 'i'}/status/${ID}`)
  // X writes "i" for no account in particular.
  expect(read?.handle).toBe(handle)
})

it.each([
  ...words(`
    https://evil-x.com/someone/status/${ID} https://x.com.example.org/someone/status/${ID}
    https://xx.com/someone/status/${ID} https://example.org/x.com/someone/status/${ID}
    https://x.com@example.org/someone/status/${ID}
    https://someone:pass@x.com/someone/status/${ID} https://x.com:8443/someone/status/${ID}
    https://x.com./someone/status/${ID} https://х.com/someone/status/${ID}
    javascript:alert(1)//x.com/someone/status/${ID} data:text/html,x.com/someone/status/${ID}
    ftp://x.com/someone/status/${ID} https://x.com/someone https://x.com/someone/status/
    https://x.com/someone/status/0 https://x.com/someone/status/12ab
    https://x.com/someone/status/99999999999999999999
    https://x.com/someone/status/9999999999999999999 https://x.com/some/one/status/${ID}
    https://x.com/someone/status/${ID}/../../home
  `),
  `https:\\\\x.com\\someone\\status\\${ID}`,
  `https://x.com/someone/status/${ID} and more`,
  `see x.com/someone/status/${ID}`,
  `https://x.com/someone/status/${ID}?${'a'.repeat(3_000)}`,
])('the address of a post is refused: %s', (text) => {
  expect(readPostUrl(text)).toBeNull()
  expect(postUrlFault(text)).toBe('Please enter a valid Twitter/X.com URL')
})

it('the address of a post is required', () => {
  expect(postUrlFault('  ')).toBe('Please enter a tweet URL')
  expect(postUrlFault(`https://x.com/a/status/${ID}`)).toBeNull()
})

it.each([
  [ID, '2019-12-31T19:26:16.771Z'],
  ['29700859247', '2010-11-04T01:43:01.738Z'],
])('the id %s has the time %s', (id, at) => {
  expect(new Date(postTime(id) ?? 0).toISOString()).toBe(at)
})

it.each(['20', '29700859246', '', 'x'])('the id "%s" has no time', (id) => {
  expect(postTime(id)).toBeNull()
})

it.each([
  [`https://x.com/a/status/${ID}`, '2019-12-31'],
  ['https://x.com/a/status/20', null],
  ['https://x.com/a', null],
  ['', null],
])('the day of %j is %j', (url, iso) => {
  const day = postDay(url)
  expect(day === null ? null : isoDay(day)).toBe(iso)
})

it('addresses are found in a pasted list', () => {
  const list = `1. https://x.com/a/status/1,<https://x.com/b/status/2>;\n - see "x.com/c/status/3"\n\n`
  const found = ['https://x.com/a/status/1', 'https://x.com/b/status/2', 'x.com/c/status/3']
  expect(addressesIn(list, 10)).toEqual(found)
  expect(addressesIn(list, 2)).toEqual(found.slice(0, 2))
  expect(addressesIn('no link\n\n - \nnone here', 10)).toEqual(['no link', 'none here'])
  expect(addressesIn(' \n -', 10)).toEqual([])
})
