import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readBolt11 } from '#domain/money/bolt11.ts'
import { DEMONSTRATION } from '#domain/money/invoice.ts'
import { SourceError } from '#server/kit/failure.ts'
import { type Clock } from '#server/kit/time.ts'
import { type Wallet } from '#server/payments/ports.ts'
// Not `{ type … }`, which would leave an import behind and load the nodes.
import type { DemoNodes } from './demo-nodes.ts'

const TITLE = 'The demonstration wallet'
const LEDGER = 'demonstration-wallet.log'
/** Below this the payer gets a new channel. */
const LEAST_LEFT_MSAT = 500_000_000
const LINE = /^([0-9a-f]{64}) (\d+)$/

/**
 * Two Lightning nodes in this process, started on first use. Payments are stored in a file in `folder`; older
 * invoices cannot be paid after a restart.
 */
export function demoWallet({ folder, clock }: { folder: string; clock: Clock }): Wallet {
  const file = join(folder, LEDGER)
  let current: Promise<DemoNodes> | null = null
  const nodesOf = new Map<string, DemoNodes>()
  let settled: Map<string, number> | null = null

  function ledger(): Map<string, number> {
    settled ??= readLedger(file)
    return settled
  }

  /** Stored before the payer gets the preimage, so that a completed payment is never lost. */
  function note(paymentHash: string): void {
    if (ledger().has(paymentHash)) return
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    appendFileSync(file, `${paymentHash} ${String(clock.now())}\n`, { flush: true })
    ledger().set(paymentHash, clock.now())
  }

  async function open(): Promise<DemoNodes> {
    const { openDemoNodes } = await import('./demo-nodes.ts')
    return openDemoNodes(note)
  }

  async function nodesWithSats(): Promise<DemoNodes> {
    if (current && (await current).leftMsat() < LEAST_LEFT_MSAT) current = null
    current ??= open()
    return current
  }

  return {
    name: DEMONSTRATION,
    title: TITLE,
    network: 'regtest',
    isDemonstration: true,
    isLifeChosen: true,
    hashesTexts: true,
    // The nodes start on first use.
    check: async () => {},

    async createInvoice({ sats, memo, hashed = null, expirySeconds }) {
      try {
        const nodes = await nodesWithSats()
        const bolt11 = nodes.invoice(sats * 1_000, memo, expirySeconds, hashed)
        const paymentHash = readBolt11(bolt11)?.paymentHash ?? ''
        nodesOf.set(paymentHash, nodes)
        return { bolt11, paymentHash, ref: paymentHash }
      } catch (error) {
        current = null
        throw broken(error)
      }
    },

    async lookUp({ paymentHash, sats }) {
      const settledMs = ledger().get(paymentHash)
      if (settledMs !== undefined) {
        return { state: 'settled', receivedMsat: sats * 1_000, settledMs }
      }
      return { state: nodesOf.has(paymentHash) ? 'open' : 'ended' }
    },

    listen: null,

    async pay(bolt11) {
      const nodes = nodesOf.get(readBolt11(bolt11)?.paymentHash ?? '')
      if (!nodes) {
        throw new SourceError(
          'refused',
          'The demonstration wallet was restarted since this invoice was made. Please try again with a new one.',
        )
      }
      try {
        nodes.pay(bolt11)
      } catch (error) {
        throw broken(error)
      }
    },

    async close() {
      current = null
      nodesOf.clear()
    },
  }
}

function broken(error: unknown): SourceError {
  const message = error instanceof Error ? error.message : String(error)
  return new SourceError('down', `${TITLE} failed: ${message}.`)
}

/** A line truncated by a crash was never acknowledged. */
function readLedger(file: string): Map<string, number> {
  let text = ''
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!isMissing) throw error
  }
  const lines = text.split('\n').map((line) => LINE.exec(line))
  return new Map(lines.flatMap((found) => (found ? [[found[1] ?? '', Number(found[2])]] : [])))
}
