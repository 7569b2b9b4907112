import { useRef, useState, type ReactNode } from 'react'
import { encode } from 'uqr'
import { qrTextOf, walletLinkOf } from '#domain/money/invoice.ts'
import { CallError } from '#web/api/call.ts'
import { ChangeButton, buttonClass } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Row, Stack, Text } from './primitives.tsx'
import { useChange } from './use-change.ts'
import css from './invoice.module.css'

/** A Lightning invoice with all ways to pay: by QR code, by a wallet on this device, by copying, or in the browser. */
export function Invoice({
  bolt11,
  onDemonstration,
}: {
  readonly bolt11: string
  /** Pays with the demonstration wallet; null if that is not in use. */
  readonly onDemonstration: (() => Promise<unknown>) | null
}) {
  const code = useRef<HTMLElement>(null)
  const [offersWebln] = useState(() => typeof window.webln?.sendPayment === 'function')
  return (
    <Stack align="center">
      <a
        className={`${css.code} card`}
        href={walletLinkOf(bolt11)}
        aria-label="Open the invoice in a wallet"
      >
        <QrCode text={qrTextOf(bolt11)} label="Lightning invoice as a QR code" />
      </a>
      <div className={`${css.text} full card muted`}>
        <Text as="code" clip={2} ref={code} className={css.letters}>
          {bolt11}
        </Text>
      </div>
      <Row gap={3} justify="center" className="full">
        {onDemonstration && (
          <PayButton pay={onDemonstration}>Pay with the demonstration wallet</PayButton>
        )}
        {offersWebln && (
          <PayButton pay={() => payByWebln(bolt11)}>Pay with the wallet of this browser</PayButton>
        )}
        <a
          className={buttonClass(onDemonstration || offersWebln ? 'plain' : 'primary')}
          href={walletLinkOf(bolt11)}
        >
          Open in a wallet
        </a>
        <CopyButton
          text={bolt11}
          label="Copy invoice"
          done="Lightning invoice copied to clipboard!"
          element={code}
        />
      </Row>
    </Stack>
  )
}

/** Requests a payment and shows refusals; only the server confirms that it arrived. */
function PayButton({
  pay,
  children,
}: {
  readonly pay: () => Promise<unknown>
  readonly children: ReactNode
}) {
  const change = useChange()
  const fault = change.message
  const send = () =>
    pay().catch((error: unknown) => {
      throw new CallError(error instanceof Error ? error.message : 'The wallet did not pay.', 0)
    })
  return (
    <>
      <ChangeButton look="primary" className="full" change={change} send={send}>
        {change.isBusy ? 'Paying...' : children}
      </ChangeButton>
      {fault && (
        <Text tone="bad" size="small" strong className="full at-center" role="alert">
          {fault}
        </Text>
      )}
    </>
  )
}

declare global {
  interface Window {
    /** A wallet provided by an extension (https://webln.dev). */
    readonly webln?: {
      readonly enable?: () => Promise<unknown>
      readonly sendPayment?: (bolt11: string) => Promise<unknown>
    }
  }
}

/**
 * Pays with the browser's wallet, which asks its owner first.
 *
 * @throws when it does not pay
 */
async function payByWebln(bolt11: string): Promise<void> {
  const { webln } = window
  if (!webln?.sendPayment) throw new Error('This browser has no wallet.')
  if (typeof webln.enable === 'function') await webln.enable()
  await webln.sendPayment(bolt11)
}

/** Quiet zone in modules, which scanners require. */
const QUIET = 4

/** A QR code, dark on light in every theme as scanners expect. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { ecc: 'L', boostEcc: true, border: 0 })
  const edge = String(size + 2 * QUIET)
  return (
    <svg
      className="fluid card"
      viewBox={`0 0 ${edge} ${edge}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={edge} height={edge} fill="#fff" />
      <path d={pathOf(data)} fill="#000" />
    </svg>
  )
}

/** Draws each horizontal run of dark modules as one bar. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  const bars: string[] = []
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue
      const from = x
      while (row[x + 1]) x += 1
      bars.push(
        `M${String(from + QUIET)} ${String(y + QUIET)}h${String(x - from + 1)}v1H${String(from + QUIET)}z`,
      )
    }
  }
  return bars.join('')
}
