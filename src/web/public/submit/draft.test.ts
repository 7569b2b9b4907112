import { describe, expect, it } from 'vitest'
import { emptyForm } from '#contracts/submissions.ts'
import { type DeviceStore } from '#web/ui/device-store.ts'
import { dropDraft, keepDraft, readDraft } from './use-submission-form.ts'

const ASKED = { key: 'a-key-of-the-test', sats: 21, body: '{}' }
const NSEC = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5'

function memory(): DeviceStore & { readonly stored: Map<string, string> } {
  const stored = new Map<string, string>()
  return {
    stored,
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, text) => void stored.set(key, text),
    removeItem: (key) => void stored.delete(key),
  }
}

describe('a draft', () => {
  it('is restored for its own asset', () => {
    const store = memory()
    const form = { ...emptyForm('mstr'), expert_name: 'Expert A', price_min: '1,000' }
    keepDraft(store, { form, asked: ASKED })
    expect(readDraft(store, 'mstr')).toEqual({ form, asked: ASKED })
    expect(readDraft(store, 'btc').form.expert_name).toBe('')
    dropDraft(store, 'mstr')
    expect(readDraft(store, 'mstr').form).toEqual(emptyForm('mstr'))
  })

  it('starts with the first input, and accepts drafts without newer fields', () => {
    const store = memory()
    keepDraft(store, { form: emptyForm('btc'), asked: null })
    expect(store.stored.size).toBe(0)
    const { timing: _, ...form } = { ...emptyForm('btc'), expert_name: 'Expert A' }
    store.stored.set('submission-draft-btc', JSON.stringify({ form, asked: null }))
    expect(readDraft(store, 'btc').form).toEqual({ ...form, timing: 'by' })
  })

  it('never contains a secret key, whatever field it was pasted into', () => {
    const store = memory()
    const form = { ...emptyForm('btc'), nostr_npub: NSEC, notes: `see ${NSEC}` }
    keepDraft(store, { form, asked: null })
    expect([...store.stored.values()].join()).not.toContain('nsec1')
  })

  it.each(['', '{', 'null', '7', '{"form":7}', '{"form":{"expert_name":5,"prediction_type":"x"}}'])(
    'is an empty form when damaged: %s',
    (text) => {
      const store = memory()
      store.stored.set('submission-draft-btc', text)
      expect(readDraft(store, 'btc')).toEqual({
        form: emptyForm('btc'),
        asked: null,
      })
    },
  )

  it('works without storage', () => {
    expect(readDraft(null, 'btc').form).toEqual(emptyForm('btc'))
    expect(() => keepDraft(null, { form: emptyForm('btc'), asked: null })).not.toThrow()
  })
})
