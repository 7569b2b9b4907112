import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '#tests/support/deep.ts'
import { words } from '#tests/support/words.ts'
import { readSourceAddress, linkIn } from './web-address.ts'

it.each(
  words(`
  https://example.org http://example.org/said HTTPS://Example.ORG:8443/a?b=c#d
  https://example.org/@jane/said https://example.org?next=a@b
  https://www.youtube.com/watch?v=abc_-1&t=10s https://müller.de/ä https://xn--mller-kva.de/
  https://例え.テスト/ https://web.archive.org/web/2020/http://127.0.0.1/
  https://my_blog.example.co.uk/ https://rumble.com./x
`),
)('%s is accepted as a source', (text) => {
  expect(readSourceAddress(text)).toBe(text)
})

it.each([
  ...words(`
    ftp://example.org/x javascript:alert(1)//example.org example.org/said https:/example.org
    https://example https://user:secret@example.org/said https://x.com@evil.example/said
    https://good.com%2f@evil.example http://localhost/.x http://LOCALHOST:3001/a.b
    http://printer.local/x.y http://db.internal/x http://router.lan/x http://router.lan./x
    http://localhost./x.y https://example.org../x http://1.0.168.192.in-addr.arpa/
    http://127.0.0.1/.x http://127.1/.x http://2130706433/.x http://0x7f.0.0.1/.x
    http://0x7f.0x1/.x http://0177.0.0.01/.x http://10.0.0.1/a.b http://192.168.1.1/a.b
    http://169.254.169.254/latest/meta-data/ http://8.8.8.8/a http://[::1]/.x
    http://[::ffff:127.0.0.1]/.x http://１２７.０.０.１/.x http://127。0。0。1/.x http://ｐｒｉｎｔｅｒ.ｌｏｃａｌ/.x
    http://ⓛocalhost/.x https://example.org:99999/ https://example.org:0/ https://example.org:/
    https://.example.org/ https://example..org/ https://-example.org/
  `),
  'https://evil.example\\@good.com',
  'https://evil.example/\\@good.com',
  'https:\\\\example.org\\x',
  'https://exa mple.org/',
  'https://example.org/a b',
  '',
])('%s is refused as a source', (text) => {
  expect(readSourceAddress(text)).toBeNull()
})

it('an address leads where a browser goes: to a site by its name, not to a number', () => {
  const pieces = words(
    'https:// http:// good.com evil.example 127.0.0.1 0x7f 1 . @ \\ / : ? # %40 [::1] 。 localhost a - ８',
  )
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }), (parts) => {
      const text = `https://${parts.join('')}`
      if (readSourceAddress(text) === null) return
      const { hostname, username, password } = new URL(text)
      expect({ text, username, password }).toEqual({ text, username: '', password: '' })
      expect(hostname).toMatch(/^[^[\]]*\.[a-z][^.]*\.?$/)
      expect(text.normalize('NFKC').toLowerCase()).toContain(`//${hostname}`)
    }),
    { numRuns: rounds(500, 5_000) },
  )
})

it.each<readonly [string, string]>([
  ...words(String.raw`
    HTTP://SCAM.EXAMPLE/x hxxp://scam.example h**ps://scam tg://join?invite=x https:\\scam.com
    scam.com пример.рф 例子.中国 scam.xn--p1ai 45.12.7.9/pay
  `).map((link) => [link, link] as const),
  ...words(`
    scam[.]com scam{.}com scam。com scam｡com scam．com scam․com scam·com ｓｃａｍ．ｃｏｍ 𝐬𝐜𝐚𝐦.𝐜𝐨𝐦
    ⓢⓒⓐⓜ.ⓒⓞⓜ sc\u200bam.c\u200dom scam\u00ad.com
  `).map((text) => [text, 'scam.com'] as const),
  ['buy at https://scam.example now', 'https://scam.example'],
  ['hxxps scam.example', 'hxxps scam.example'],
  ['https : // scam.test/now', 'https : // scam.test/now'],
  ['see www.scam.example/x', 'www.scam.example/x'],
  ['see www . scam', 'www . scam'],
  ['go to my-site.co.uk.', 'my-site.co.uk'],
  ['t.me/scam', 't.me'],
  ['(scam.io)', 'scam.io'],
  ['scam.io?ref=1', 'scam.io'],
  ['join 9gag.com today', '9gag.com'],
  ['mail me@scam.org', 'scam.org'],
  ['scam . com', 'scam.com'],
  ['scam. com', 'scam. com'],
  ['scam .com', 'scam .com'],
  ['scam (dot) com', 'scam.com'],
  ['scam [dot] com', 'scam.com'],
  ['scam dot com', 'scam.com'],
  ['Scam DOT Com', 'Scam.Com'],
  ['[click here](scam)', '[click here](scam)'],
  ['[click](https://scam.example)', 'https://scam.example)'],
  ['<a href="/x">free</a>', '<a href="/x">'],
  ['discord gg/room', 'discord gg/room'],
  ['first line\nscam.com', 'scam.com'],
])('%j contains the link %j', (text, link) => {
  expect(linkIn(text)).toBe(link)
})

it.each([
  '',
  'Said so.',
  'Said so. It will rise by 12.5% to $150.000, or 1.5x.',
  'Price target: $1.2M by 31.12.2027 (e.g. at 10:30 p.m.), i.e. soon...',
  'He said it in the U.S. at St. Louis; see no. 5 of the paper.',
  'From 03/04/2027 to 2028-01-01: 100,000/150,000.',
  'The dot com bubble was different.',
  'After the dot com crash we know.',
  'We will see. Com on, it is 2027.',
  'It rises. So it will. In May. At last. To me.',
  '@planb says 100k',
  'Dr. Plan B, Jr.',
  'BTC.D and BRK.B',
  '比特币将涨到10万。但是要等到2027年。',
  'ビットコインは2027年に15万ドル。',
  'Bitcoin à 150 000 $ d’ici 2027 … « certain »',
  'col·lecció',
  '“150k” – Jane Doe: buy [sic] (really)',
  'version 1.2.3 of the model',
  'and/or, yes/no',
])('%j contains no link', (text) => {
  expect(linkIn(text)).toBeNull()
})
