import { expect, it } from 'vitest'
import { dateText, handleLink, paidText, safeLink } from './row-texts.ts'

it.each([
  [null, 'N/A'],
  ['', 'N/A'],
  ['2027-12-31', '31/12/2027'],
  ['2027-13-31', 'Invalid Date'],
])('the date %s is shown as %s', (date, text) => expect(dateText(date)).toBe(text))

it.each([
  ['https://www.x.com/a', { href: 'https://www.x.com/a', host: 'x.com' }],
  ['http://example.org', { href: 'http://example.org/', host: 'example.org' }],
  ['javascript:alert(1)', null],
  ['a post', null],
  [null, null],
])('%s is followed only as a web address', (text, link) => expect(safeLink(text)).toEqual(link))

it.each([
  ['@saylor', 'https://x.com/saylor'],
  ['saylor', 'https://x.com/saylor'],
  ['a'.repeat(21), null],
  ['a/b', null],
])('%s leads to a page on X only where it can be a handle', (handle, link) =>
  expect(handleLink(handle)).toBe(link),
)

it.each([
  ['none', '–'],
  ['unpaid', 'unpaid'],
  ['paid', '2,100 sats'],
  ['paid_late', '2,100 sats, late'],
  ['overpaid', '2,100 sats, overpaid'],
] as const)('a payment that is %s reads %s', (payment_state, text) =>
  expect(paidText({ paid_sats: 2_100, payment_state })).toBe(text),
)
