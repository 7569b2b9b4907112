import { describe, expect, it } from 'vitest'
import { fitMemo, memoOf } from './invoice.ts'

const ID = '1a2b3c4d-0000-4000-8000-000000000001'
const JANE = {
  asset: 'btc',
  expertName: 'Jane Doe',
  predictionType: 'target',
  pricePrediction: '$150,000',
  timing: 'by',
  targetTime: '2027-12-31',
} as const

describe('the memo of a payment', () => {
  it('has the prediction and the beginning of our id', () => {
    expect(memoOf(JANE, ID)).toBe('Proof of Price: Jane Doe BTC $150,000 by 2027-12-31 · 1a2b3c4d')
    const top = { ...JANE, predictionType: 'top', timing: 'throughout' } as const
    expect(memoOf(top, ID)).toContain('BTC never above $150,000 until 2027-12-31')
    expect(memoOf({ ...top, timing: 'at_end' }, ID)).toContain('BTC below $150,000 on 2027-12-31')
  })

  it.each(['x'.repeat(500), '😀'.repeat(200), 'a\n\u0000b', 'Jane · Doe · '.repeat(20)])(
    'the memo of a payment fits every wallet, with whole characters and the id, for %j',
    (expertName) => {
      const memo = memoOf({ ...JANE, expertName }, ID)
      expect(memo.length).toBeLessThanOrEqual(128)
      expect(memo).toMatch(/ BTC \$150,000 by 2027-12-31 · 1a2b3c4d$/)
      expect(memo.isWellFormed()).toBe(true)
      expect(memo).not.toMatch(/\p{Cc}/u)
    },
  )

  it.each([0, 5, 11, 12, 20, 50])(
    'the memo of a payment within %d characters keeps the id as long as there is room',
    (most) => {
      const memo = fitMemo(memoOf(JANE, ID), most)
      expect(memo.length).toBeLessThanOrEqual(most)
      expect(memo.endsWith(' · 1a2b3c4d')).toBe(most >= 12)
    },
  )
})
