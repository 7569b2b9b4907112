import { rounds } from '#tests/support/deep.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readSourceAddress } from './web-address.ts'

it.each([
  'https://example.org',
  'http://example.org/said',
  'HTTPS://Example.ORG:8443/a?b=c#d',
  'https://example.org/@jane/said',
  'https://example.org?next=a@b',
  'https://www.youtube.com/watch?v=abc_-1&t=10s',
  'https://müller.de/ä',
  'https://xn--mller-kva.de/',
  'https://例え.テスト/',
  'https://web.archive.org/web/2020/http://127.0.0.1/',
  'https://my_blog.example.co.uk/',
  'https://rumble.com./x',
])('%s is taken as a source', (text) => {
  expect(readSourceAddress(text)).toBe(text)
})

it.each([
  'ftp://example.org/x',
  'javascript:alert(1)//example.org',
  'example.org/said',
  'https:/example.org',
  'https://example',
  'https://evil.example\\@good.com',
  'https://evil.example/\\@good.com',
  'https:\\\\example.org\\x',
  'https://user:secret@example.org/said',
  'https://x.com@evil.example/said',
  'https://good.com%2f@evil.example',
  'http://localhost/.x',
  'http://LOCALHOST:3001/a.b',
  'http://printer.local/x.y',
  'http://db.internal/x',
  'http://router.lan/x',
  'http://router.lan./x',
  'http://localhost./x.y',
  'https://example.org../x',
  'http://1.0.168.192.in-addr.arpa/',
  'http://127.0.0.1/.x',
  'http://127.1/.x',
  'http://2130706433/.x',
  'http://0x7f.0.0.1/.x',
  'http://0x7f.0x1/.x',
  'http://0177.0.0.01/.x',
  'http://10.0.0.1/a.b',
  'http://192.168.1.1/a.b',
  'http://169.254.169.254/latest/meta-data/',
  'http://8.8.8.8/a',
  'http://[::1]/.x',
  'http://[::ffff:127.0.0.1]/.x',
  'http://１２７.０.０.１/.x',
  'http://127。0。0。1/.x',
  'http://ｐｒｉｎｔｅｒ.ｌｏｃａｌ/.x',
  'http://ⓛocalhost/.x',
  'https://example.org:99999/',
  'https://example.org:0/',
  'https://example.org:/',
  'https://.example.org/',
  'https://example..org/',
  'https://-example.org/',
  'https://exa mple.org/',
  'https://example.org/a b',
  '',
])('%s is refused as a source', (text) => {
  expect(readSourceAddress(text)).toBeNull()
})

it('an address leads where a browser goes: to a site by its name, and to no number', () => {
  const pieces = [
    'https://',
    'http://',
    'good.com',
    'evil.example',
    '127.0.0.1',
    '0x7f',
    '1',
    '.',
    '@',
    '\\',
    '/',
    ':',
    '?',
    '#',
    '%40',
    '[::1]',
    '。',
    'localhost',
    'a',
    '-',
    '８',
  ]
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
