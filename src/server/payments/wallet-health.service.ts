import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { checkInvoice, INVOICE_SECONDS } from '#domain/money/invoice.ts'
import { failure, SourceError } from '#server/kit/failure.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type Wallet } from './ports.ts'

const CHECK_WITHIN_MS = 15_000
const PAUSES = {
  /** Interval of two consecutive failures that close submitting; a single one may be transient. */
  sureAfterMs: 2_000,
  /** Delays before an unavailable wallet is checked again; the last one repeats. */
  whenClosedMs: [2_000, 5_000, 15_000],
}
export type WalletPauses = typeof PAUSES
const AGAIN_WHEN_OPEN_MS = 10 * 60_000

const NO_WALLET =
  'Submitting is closed: this site has no wallet to receive payments yet. See LIGHTNING_WALLET in .env.example.'
const CLOSED =
  'Submitting is closed for the moment: the wallet of this site does not accept payments.'

export type WalletHealth = ReturnType<typeof openWalletHealth>

type HealthKit = Pick<Kit, 'clock' | 'log'> & {
  readonly wallet: Wallet | null
  readonly print: string | null
  readonly minSats: number
  readonly pauses?: WalletPauses | undefined
}

/** An unavailable or wrong wallet closes submitting. */
export function openWalletHealth(kit: HealthKit) {
  const { wallet, print, minSats, clock, log, pauses = PAUSES } = kit
  let fault: string | null = null
  let isTried = false
  let timer: NodeJS.Timeout | undefined
  let first: Promise<void> | null = null
  let isStarted = false
  let isDoubted = false
  let failures = 0
  const ending = new AbortController()

  async function faultOf(wallet: Wallet): Promise<string | null> {
    try {
      const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(CHECK_WITHIN_MS)])
      await wallet.check(signal)
      if (!isTried && !wallet.isDemonstration) await tryOut(wallet, signal)
      isTried = true
      return null
    } catch (error) {
      if (error instanceof SourceError || ending.signal.aborted) {
        return error instanceof Error ? error.message : String(error)
      }
      log.error({ wallet: wallet.name, err: error }, `${wallet.title} could not be checked.`)
      return `${wallet.title} could not be checked.`
    }
  }

  async function check(wallet: Wallet): Promise<void> {
    const before = fault
    let found = await faultOf(wallet)
    if (found !== null && before === null && isStarted) {
      await pause(pauses.sureAfterMs, undefined, { signal: ending.signal, ref: false }).catch(
        () => {},
      )
      if (!ending.signal.aborted) found = await faultOf(wallet)
    }
    if (ending.signal.aborted) return
    fault = found
    failures = found === null ? 0 : failures + 1
    if (found === null && before !== null) {
      log.info({ wallet: wallet.name }, `${wallet.title} accepts payments again.`)
    }
    if (found !== null && found !== before) {
      log.error({ wallet: wallet.name }, `Submitting is closed. ${found}`)
    }
  }

  /** Only an invoice proves that a wallet can receive, and on which network; this one is never shown. */
  async function tryOut(wallet: Wallet, signal: AbortSignal): Promise<void> {
    const order = {
      id: randomUUID(),
      sats: minSats,
      memo: 'Proof of Price: checking the wallet',
      expirySeconds: INVOICE_SECONDS,
    }
    const made = await wallet.createInvoice({ ...order, hintUrl: null }, signal)
    const ask = { ...order, network: wallet.network }
    const read = checkInvoice(made.bolt11, made.paymentHash, ask, clock.now())
    if (typeof read === 'string') throw new SourceError('nonsense', read)
  }

  function again(wallet: Wallet): void {
    if (ending.signal.aborted) return
    clearTimeout(timer)
    timer = setTimeout(
      () => void check(wallet).then(() => again(wallet)),
      fault === null
        ? AGAIN_WHEN_OPEN_MS
        : (pauses.whenClosedMs[failures - 1] ?? pauses.whenClosedMs.at(-1)),
    )
    timer.unref()
  }

  /** Why submitting is closed, for visitors; null while open. The log explains the wallet's fault. */
  function closedBecause(): string | null {
    if (!wallet) return NO_WALLET
    return fault === null ? null : CLOSED
  }

  return {
    wallet,
    print,

    closedBecause,

    /** Whether the first check is still running. */
    isChecking: (): boolean => first !== null && !isStarted,

    /** The wallet, once known to work. @throws AppError while submitting is closed */
    async open(): Promise<Wallet> {
      await first
      if (!wallet || fault !== null) throw failure('unavailable', closedBecause() ?? CLOSED)
      return wallet
    },

    /** It has failed a visitor: checks it at once with an invoice. */
    doubt(): void {
      if (!wallet || !isStarted || isDoubted || fault !== null || ending.signal.aborted) return
      isDoubted = true
      isTried = false
      clearTimeout(timer)
      void check(wallet).then(() => {
        isDoubted = false
        again(wallet)
      })
    },

    async start(): Promise<void> {
      if (!wallet || first) return
      first = check(wallet)
      await first
      isStarted = true
      again(wallet)
    },

    async stop(): Promise<void> {
      ending.abort()
      clearTimeout(timer)
      await wallet?.close()
    },
  }
}
