import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '#tests/support/deep.ts'
import { storedCases } from '#tests/support/stored-cases.ts'
import { words } from '#tests/support/words.ts'
import { readSourceAddress, linkIn } from './web-address.ts'

it('addresses of sources and links in texts are found as stored', () =>
  storedCases('web-address', {
    'the address of a source': readSourceAddress,
    'the link in a text': linkIn,
  }))

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
