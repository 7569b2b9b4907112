import { emptyForm } from '#contracts/submissions.ts'
import { day } from '#domain/day.ts'
import { describe, expect, it } from 'vitest'
import { type DeviceStore } from '#web/ui/device-store.ts'
import { dropDraft, keepDraft, readDraft } from './draft.ts'

const TODAY = day('2026-11-20')
const ASKED = { key: 'a-key-of-the-test', sats: 21, body: '{}' }
const NSEC = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5'

function memory(): DeviceStore & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => void kept.set(key, text),
    removeItem: (key) => void kept.delete(key),
  }
}

describe('a draft', () => {
  it('a draft comes back as it was left, for its own asset', () => {
    const store = memory()
    const form = { ...emptyForm('mstr', '2026-11-20'), expert_name: 'Ada', price_min: '1,000' }
    keepDraft(store, { form, asked: ASKED })
    expect(readDraft(store, 'mstr', TODAY)).toEqual({ form, asked: ASKED })
    expect(readDraft(store, 'btc', TODAY).form.expert_name).toBe('')
    dropDraft(store, 'mstr')
    expect(readDraft(store, 'mstr', TODAY).form).toEqual(emptyForm('mstr', '2026-11-20'))
  })

  it('a draft never holds a secret key, in whatever field it was pasted', () => {
    const store = memory()
    const form = { ...emptyForm('btc', '2026-11-20'), nostr_npub: NSEC, notes: `see ${NSEC}` }
    keepDraft(store, { form, asked: null })
    expect([...store.kept.values()].join()).not.toContain('nsec1')
  })

  it.each(['', '{', 'null', '7', '{"form":7}', '{"form":{"expert_name":5,"prediction_type":"x"}}'])(
    'a draft that is damaged (%s) is an empty form',
    (text) => {
      const store = memory()
      store.kept.set('submission-draft-btc', text)
      expect(readDraft(store, 'btc', TODAY)).toEqual({
        form: emptyForm('btc', '2026-11-20'),
        asked: null,
      })
    },
  )

  it('a draft works without storage', () => {
    expect(readDraft(null, 'btc', TODAY).form).toEqual(emptyForm('btc', '2026-11-20'))
    expect(() => keepDraft(null, { form: emptyForm('btc', ''), asked: null })).not.toThrow()
  })
})
