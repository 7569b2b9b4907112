import { type ReactNode } from 'react'
import { sentenceOf } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { type NostrStatus, type XRate, type XStatus } from './calls.ts'
import { minutesText } from './composition.ts'
import css from './network-facts.module.css'
import { Row } from '#web/ui/stack.tsx'

/** The first characters of a public key are enough to know it (administrator-tools.md §2). */
const KEY_SHOWN = 20

export function shownKey(npub: string): string {
  return `${npub.slice(0, KEY_SHOWN)}…`
}

/** How the account on X stands: its name, or what is wrong, and what X last said of its limits. */
export function XFacts({
  status,
  rate,
  error,
  onCheck,
}: {
  readonly status: XStatus | undefined
  readonly rate: XRate | undefined
  readonly error: Error | null
  readonly onCheck: () => void
}): ReactNode {
  if (status && !status.configured) {
    return <p>{status.error ?? 'X is not set up.'}</p>
  }
  const why = status ? (status.success ? null : status.error) : error ? sentenceOf(error) : null
  return (
    <>
      {why === null ? (
        <p>{status?.handle != null ? `Posts as @${status.handle}` : ' '}</p>
      ) : (
        <Row as="p" gap={3} className={css.problem}>
          <span>Error: {why}</span> <Button onClick={onCheck}>Check again</Button>
        </Row>
      )}
      {rate && status?.configured && <p>{rateText(rate)}</p>}
    </>
  )
}

/** `97 of 100 posts left, anew in 12 minutes` */
function rateText({ remaining, limit, minutesUntilReset: minutes, canPost }: XRate): string {
  if (remaining === null || limit === null) return 'Rate limit: X tells it with the first post.'
  const reset = minutes === null ? '' : `, anew in ${minutesText(minutes)}`
  return `Rate limit: ${String(remaining)} of ${String(limit)} posts left${reset}${canPost ? '' : '. X takes none for now'}`
}

/** The site's key and how many of its relays take a connection. */
export function NostrFacts({
  status,
  error,
  onCheck,
}: {
  readonly status: NostrStatus | undefined
  readonly error: Error | null
  readonly onCheck: () => void
}): ReactNode {
  if (!status) {
    return error ? (
      <Row as="p" gap={3} className={css.problem}>
        <span>Error: {sentenceOf(error)}</span> <Button onClick={onCheck}>Check again</Button>
      </Row>
    ) : (
      <p>The relays are being asked…</p>
    )
  }
  if (!status.configured) {
    return (
      <p>
        Not configured. Add the private key setting NOSTR_PRIVATE_KEY (nsec1… or hex) to the
        server’s settings and start it again.
      </p>
    )
  }
  return (
    <>
      <p>Configured, public key {shownKey(status.publicKey ?? '')}</p>
      <Row as="p" gap={3} className={css.problem}>
        <span>
          {status.connectedRelays} of {status.totalRelays} relays connected
          {status.error !== null && `. ${status.error}`}
        </span>
        {status.connectedRelays < status.totalRelays && (
          <Button onClick={onCheck}>Check again</Button>
        )}
      </Row>
      {status.faults.map((fault) => (
        <p key={fault}>{fault}</p>
      ))}
    </>
  )
}
