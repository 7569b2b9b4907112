import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { boostPrediction, checkPayment, createInvoice } from '#contracts/payments.ts'
import { entry } from '#tests/support/builders.ts'
import { SUBMISSION, type Ordered } from '#tests/support/payment-world.ts'
import { programOf } from '#tests/support/programs.ts'
import { count } from '#tests/support/review.ts'
import type { KillOwner } from '#tests/support/site-kill-owner.ts'
import { KEY, walletServer } from '#tests/support/stand-ins/wallet-servers.ts'
import { testApp } from '#tests/support/test-app.ts'
import { startVictim } from '#tests/support/victim.ts'

const OWNER = await programOf('site-kill-owner')
const BOOST = boostPrediction.path.replace(':id', 'a')
const SATS = 21
const [SUBMISSIONS, BOOSTS] = [8, 8]

/* The long form, with all that is sent and two sites, is in tests/deep. */
it('a site killed while it records payments has each of them once', async () => {
  await using world = await testApp({ clock: { now: () => Date.now() } })
  await using lnbits = await walletServer('lnbits')
  await world.imports.predictions(JSON.stringify([entry('a')]))
  const owner: KillOwner = { database: world.database.url, lnbits: lnbits.url.origin, key: KEY }
  const start = () => startVictim(OWNER, JSON.stringify(owner))

  const killed = await start()
  const order = async (path: string, body: object): Promise<Ordered> => {
    const answer = await fetch(killed.first + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify(body),
    })
    return createInvoice.reply.parse(await answer.json())
  }
  const look = async (site: string, { invoice }: Ordered): Promise<boolean> => {
    const path = checkPayment.path.replace(':checkingId', invoice.checking_id)
    return checkPayment.reply.parse(await (await fetch(site + path)).json()).paid
  }
  const ordered = await Promise.all([
    ...Array.from({ length: SUBMISSIONS }, () =>
      order(createInvoice.path, { amount: SATS, submissionData: SUBMISSION }),
    ),
    ...Array.from({ length: BOOSTS }, () => order(BOOST, { amount: SATS })),
  ])
  for (const { invoice } of ordered) lnbits.ledger.pay(invoice.payment_request)
  const looks = ordered.map((one) => look(killed.first, one))
  await Promise.any(looks)
  await killed.kill()
  await Promise.allSettled(looks)

  const site = await start()
  try {
    const isPaid = await Promise.all(ordered.map((one) => look(site.first, one)))
    expect(isPaid).toEqual(ordered.map(() => true))
  } finally {
    await site.kill()
  }
  expect({
    paid: await count(world, `payments where status = 'paid'`),
    submissions: await count(world, 'submissions where paid_sats > 0'),
    boosts: await count(
      world,
      `predictions where id = 'a' and vote_score = ${String(BOOSTS * SATS)}`,
    ),
  }).toEqual({ paid: ordered.length, submissions: SUBMISSIONS, boosts: 1 })
})
