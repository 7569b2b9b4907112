import { submissions } from '#server/database/schema/submissions.ts'
import { tokenMaker } from '#server/kit/tokens.ts'
import { receiptService } from '#server/payments/receipts.service.ts'
import { rolledBack } from '#tests/support/rolled-back.ts'
import { expect, it } from 'vitest'

const NOON = '2026-11-20T12:00:00.000Z'

it('an address other than the confirmed one must be confirmed first', () =>
  rolledBack(async (db) => {
    const tokens = tokenMaker('secret')
    await db.insert(submissions).values({
      id: '00000000-0000-4000-8000-000000000001',
      receiptHash: tokens.hash('receipt'),
      origin: 'admin',
      status: 'pending',
      asset: 'btc',
      expertName: 'Expert A',
      predictionType: 'target',
      timing: 'by',
      pricePrediction: '$150,000',
      targetTime: '2027-12-31',
      contactKind: 'email',
      contactAddress: 'old@example.org',
      contactConfirmedAt: NOON,
      createdAt: NOON,
    })
    const requests: string[] = []
    const receipts = receiptService({
      db,
      tokens,
      clock: { now: () => Date.parse(NOON) },
      record: { find: () => Promise.resolve(null) },
      signals: { listen: () => () => {} },
      ways: { email: true, lightning: true },
      addresses: { ask: (_, __, address) => Promise.resolve(void requests.push(address)) },
    })
    const set = async (text: string) =>
      (await receipts.setContact('receipt', text, 'email', 'here')).confirmed
    expect([await set('old@example.org'), requests]).toEqual([true, []])
    expect([await set('new@example.org'), requests]).toEqual([false, ['new@example.org']])
    expect((await receipts.receipt('receipt')).contact).toMatchObject({ confirmed: false })
  }))
