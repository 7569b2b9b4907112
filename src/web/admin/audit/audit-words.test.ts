import { expect, it } from 'vitest'
import { changesOf } from '#web/admin/kit/changes.tsx'
import { addressOf, detailText, whatText } from './audit-words.ts'

it.each([
  ['submission', 's', '/admin/mstr?tab=all&open=s'],
  ['prediction', 'old split', '/admin/predictions?open=old%20split'],
  ['expert', '3', '/admin/experts?open=3'],
  ['payment', 'p', '/admin/payments?open=p'],
  ['tweet queue', '4', '/admin/queue?item=4'],
  ['social post', 'x', '/admin/publish'],
  ['reply', 'r', '/admin/replies?state=waiting'],
  ['price jump', 'mstr 2024-08-08', '/admin/operations'],
  ['unheard of', '1', null],
])('links an entry about a %s with id %s to %s', (kind, subject, to) => {
  expect(addressOf({ kind, subject, about: { name: 'x', asset_type: 'mstr' } })).toBe(to)
})

it('links to nothing when the subject is gone', () => {
  expect(addressOf({ kind: 'expert', subject: '3', about: null })).toBeNull()
})

it.each([
  ['signed in', { how: 'passkey', address: '192.0.2.1' }, 'by passkey from 192.0.2.1'],
  ['links added', { ids: [1, 2] }, '2 links'],
  ['daily ranges published', { days: 1_200, verdicts: 1 }, '1,200 days, 1 verdict changed'],
  ['token created', { name: 'backup', days: 90 }, 'backup'],
  [
    'call refused',
    { call: 'POST /api/x/tweet', why: 'role', name: 'bob', address: '192.0.2.1' },
    'POST /api/x/tweet, not allowed for their role, from 192.0.2.1',
  ],
  ['submission approved', { status: 'approved' }, null],
])('describes "%s" with %j as: %s', (action, after, text) => {
  expect(detailText({ action, before: null, after })).toBe(text)
})

it('starts entries with a capital letter', () => {
  expect(whatText({ action: 'submission approved', after: null })).toBe('Submission approved')
})

it('describes changes in words: field names, dates, yes and no; new values have no "before"', () => {
  const changed = changesOf({
    before: { target_time: '2027-12-31', isFirm: false, version: 1 },
    after: { target_time: '2028-01-31', isFirm: true, version: 2 },
  })
  expect(changed).toEqual([
    { field: 'Target time', before: '31/12/2027', after: '31/01/2028' },
    { field: 'Is firm', before: 'no', after: 'yes' },
  ])
  const made = changesOf({ before: null, after: { networks: ['x', 'nostr'], xText: '' } })
  expect(made).toEqual([
    { field: 'Networks', before: null, after: 'x, nostr' },
    { field: 'Text on X', before: null, after: '–' },
  ])
})
