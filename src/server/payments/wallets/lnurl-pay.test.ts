import { expect, it } from 'vitest'
import { isPublicAddress, publicLookup } from '#server/kit/reach.ts'
import { patiently } from '#tests/support/waiting.ts'
import { words } from '#tests/support/words.ts'
import { noteInvoices } from './lnurl-pay.ts'

const invoiceOf = (url: string): Promise<string> =>
  noteInvoices().invoiceFor(url, { sats: 1, message: '', network: 'mainnet' }, patiently())

const OWN =
  '10.1.2.3 172.31.255.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 255.255.255.255 :: fe80::1'

it.each([...OWN.split(' '), 'not an address'])('treats %s as not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

it.each([
  ...words(`
    https://127.0.0.1/pay https://[::1]/pay https://[::ffff:7f00:1]/pay https://2130706433/pay
    https://0x7f.1/pay https://8.8.8.8/pay http://example.org/pay http://localhost/pay
    https://example.org:8443/pay https://user:secret@example.org/pay
    https://user@example.org/pay ftp://example.org/pay https://localhost/pay
  `),
  'not an address',
])('does not call %s', async (url) => {
  const request = invoiceOf(url)
  await expect(request).rejects.toMatchObject({
    fault: 'refused',
    message: 'The Lightning address has an address that we may not call.',
  })
})

it('does not call a name with a private address, even if it has a public one too', async () => {
  const guarded = publicLookup((_host, _options, done) =>
    done(null, [
      { address: '93.184.216.34', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]),
  )
  const error = await new Promise((done) => guarded('both.example', { all: true }, (e) => done(e)))
  expect(error).toMatchObject({ code: 'ENOTPUBLIC' })
})
