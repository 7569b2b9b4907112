import { expect, it } from 'vitest'
import { SourceError } from '#server/kit/failure.ts'
import { ledgerWallet } from '#tests/support/stand-ins/ledger-wallet.ts'
import { standInLedger } from '#tests/support/stand-ins/ledger.ts'
import { SILENT } from '#tests/support/test-site.ts'
import { until } from '#tests/support/waiting.ts'
import { settingWarnings } from './configured-wallet.ts'
import { openWalletHealth } from './wallet-health.service.ts'

function opened() {
  const ledger = standInLedger()
  const wallet = ledgerWallet(ledger)
  const health = openWalletHealth({
    wallet,
    print: null,
    minSats: 1,
    clock: { now: Date.now },
    log: SILENT,
    pauses: { sureAfterMs: 1, whenClosedMs: [1] },
  })
  return { ledger, wallet, health }
}

it('tests a wallet once with an invoice that is never shown', async () => {
  const { ledger, health } = opened()
  await health.start()
  expect([health.closedBecause(), ledger.entries.size]).toEqual([null, 1])
  await health.stop()
})

it('closes submitting for a wallet of another network, without revealing secrets', async () => {
  const { ledger, health } = opened()
  ledger.lies = { network: 'testnet' }
  await health.start()
  expect(health.closedBecause()).toMatch(/^Submitting is closed for the moment/)
  await expect(health.open()).rejects.toThrow('closed for the moment')
  await health.stop()
})

it('delays invoices until the first check is finished', async () => {
  const { wallet, health } = opened()
  const { promise, reject } = Promise.withResolvers<never>()
  Object.assign(wallet, { check: () => promise })
  const started = health.start()
  expect([health.isChecking(), health.closedBecause()]).toEqual([true, null])
  const opening = health.open()
  reject(new SourceError('refused', 'It rejected our key.'))
  await expect(opening).rejects.toThrow('closed for the moment')
  await started
  expect(health.isChecking()).toBe(false)
  await health.stop()
})

it('closes submitting if a wallet that failed a visitor is down, and reopens it afterwards', async () => {
  const { wallet, health } = opened()
  await health.start()
  wallet.behaviour.down = true
  health.doubt()
  await until(() => health.closedBecause() !== null)
  await expect(health.open()).rejects.toThrow('closed for the moment')
  wallet.behaviour.down = false
  await until(() => health.closedBecause() === null)
  await health.stop()
})

it('does not close submitting after a single bad answer', async () => {
  const { wallet, health } = opened()
  await health.start()
  let requests = 0
  const { createInvoice } = wallet
  Object.assign(wallet, {
    createInvoice: async (...args: Parameters<typeof createInvoice>) => {
      requests += 1
      const made = await createInvoice(...args)
      return requests === 1 ? { ...made, bolt11: 'lnbc1' } : made
    },
  })
  health.doubt()
  let closed = 0
  await until(() => {
    if (health.closedBecause() !== null) closed += 1
    return requests === 2
  })
  await health.open()
  expect(closed).toBe(0)
  await health.stop()
})

it('warns of risky wallet settings', () => {
  const wallet = { kind: 'address', network: 'mainnet', address: 'a@example.org' } as const
  const names = (lightningName: string | null) =>
    settingWarnings({ wallet, lightningName }).map(({ name }) => name)
  expect([names('tips'), names(null)]).toEqual([['no-lightning-address'], []])
})
