import { reports } from '#server/database/schema/reports.ts'
import { payments } from '#server/database/schema/submissions.ts'
import { markPaid } from '#server/payments/payments.store.ts'
import { onRecord, rolledBack } from '#tests/support/rolled-back.ts'
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'

const NOON = '2026-11-20T12:00:00.000Z'

it('of two report deposits requested by an earlier version, the second is to be refunded', () =>
  rolledBack(async (db) => {
    await onRecord(db)
    const [report] = await db
      .insert(reports)
      .values({
        predictionId: 'a',
        kind: 'words',
        explanation: 'x',
        reportedAt: NOON,
        lastEvent: 0,
      })
      .returning()
    const made = await db
      .insert(payments)
      .values(
        ['one', 'two'].map((checkingHash) => ({
          id: randomUUID(),
          purpose: 'report' as const,
          reportNumber: report?.number ?? 0,
          checkingHash,
          walletRef: checkingHash,
          bolt11: checkingHash,
          paymentHash: checkingHash,
          expiresAt: NOON,
          walletExpiresAt: NOON,
          watchUntil: NOON,
          status: 'pending' as const,
          sats: 21,
          wallet: 'w',
          network: 'mainnet' as const,
          createdAt: NOON,
        })),
      )
      .returning()
    const arrival = {
      isLate: false,
      receivedMsat: 21_000,
      countedSats: 21,
      settledAt: null,
      paidAt: NOON,
    }
    const became = []
    for (const one of [...made, ...made]) became.push(await markPaid(db, one, arrival))
    expect(became.map((one) => one?.status ?? null)).toEqual(['paid', 'overpaid', null, null])
  }))
