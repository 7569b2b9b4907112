import { describe, expect, it } from 'vitest'
import { result } from '#tests/support/admin-rows.ts'
import { outcomeView } from './outcome-note.tsx'

const view = (part: object, network: 'x' | 'nostr' = 'nostr') =>
  outcomeView(result(network, part), (iso) => iso.slice(11, 16))
const relays = (...states: string[]) =>
  states.map((state, at) => ({ relay: `wss://${String(at)}.example`, state, reason: null }))

describe('an outcome', () => {
  it.each([
    [['accepted', 'already', 'accepted'], 'good', 'posted', 'Posted to 3/3 relays'],
    [['accepted', 'refused', 'later'], 'part', '1 of 3 relays', 'Posted to 1/3 relays'],
  ])('is good only if every relay has the note: %j', (states, tone, badge, title) => {
    expect(view({ relays: relays(...states) })).toMatchObject({ tone, badge, title })
  })

  it('on X is good without relays', () => {
    expect(view({}, 'x')).toMatchObject({ tone: 'good', title: 'Posted successfully!' })
  })

  it('left behind by a stopped server says when it will be known', () => {
    const left = { state: 'sending', known_at: '2026-11-20T13:21:00.000Z' }
    expect(view({ state: 'sending' }, 'x')).toMatchObject({ tone: 'open', title: 'Posting to X…' })
    expect(view(left, 'x')).toMatchObject({
      tone: 'doubt',
      badge: 'interrupted',
      text: 'The server stopped while it was sending this. The outcome will be known at 13:21.',
    })
  })
})
