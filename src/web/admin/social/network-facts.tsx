import { type ReactNode } from 'react'
import { sentenceOf } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Row } from '#web/ui/stack.tsx'
import { minutesText } from './composition.ts'
import css from './composer.module.css'
import { type BlueskyQuery, type Networks, type NostrQuery, type XRate } from './use-networks.ts'

/** The first characters of a public key are enough to know it (administrator-tools.md §2). */
const KEY_SHOWN = 20

export function shownKey(npub: string | null | undefined): string {
  return `${npub?.slice(0, KEY_SHOWN) ?? 'npub'}…`
}

/** The name of the account on X, or what is wrong, and what X last said of its limits. */
export function XFacts({ networks: { x, rate } }: { readonly networks: Networks }): ReactNode {
  const status = x.data
  if (status?.configured === false) return <p>{status.error ?? 'X is not set up.'}</p>
  const why = status ? (status.success ? null : status.error) : x.error && sentenceOf(x.error)
  return (
    <>
      {why === null ? (
        <p>{status?.handle == null ? ' ' : `Posts as @${status.handle}`}</p>
      ) : (
        <Problem onCheck={() => void x.refetch()}>Error: {why}</Problem>
      )}
      {rate && status && <p>{rateText(rate)}</p>}
    </>
  )
}

/** `97 of 100 posts left, reset in 12 minutes` */
function rateText({ remaining, limit, minutesUntilReset: minutes, canPost }: XRate): string {
  if (remaining === null || limit === null) return 'Rate limit: known after the first post.'
  const reset = minutes === null ? '' : `, reset in ${minutesText(minutes)}`
  return `Rate limit: ${String(remaining)} of ${String(limit)} posts left${reset}${canPost ? '' : '. X accepts no posts for now'}`
}

/** The name of the account on Bluesky, or what is wrong. */
export function BlueskyFacts({ query }: { readonly query: BlueskyQuery }): ReactNode {
  const { data: status, error } = query
  if (status?.configured === false) return <p>{status.error ?? 'Bluesky is not set up.'}</p>
  const why = status ? status.error : error && sentenceOf(error)
  if (why !== null) return <Problem onCheck={() => void query.refetch()}>Error: {why}</Problem>
  return (
    <p>
      {status?.handle == null
        ? 'Checking the account…'
        : `Posts as @${status.handle}. Up to 300 characters`}
    </p>
  )
}

/** The site's key and how many of its relays accept a connection. */
export function NostrFacts({ query }: { readonly query: NostrQuery }): ReactNode {
  const { data: status, error } = query
  const check = (): void => void query.refetch()
  if (!status) {
    return error ? (
      <Problem onCheck={check}>Error: {sentenceOf(error)}</Problem>
    ) : (
      <p>Checking the relays…</p>
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
  const { connectedRelays: connected, totalRelays: total } = status
  return (
    <>
      <p>Configured, public key {shownKey(status.publicKey)}</p>
      <Problem onCheck={connected < total ? check : null}>
        {connected} of {total} relays connected{status.error !== null && `. ${status.error}`}
      </Problem>
      {status.faults.map((fault) => (
        <p key={fault}>{fault}</p>
      ))}
    </>
  )
}

/** What was found, and the button that checks again. */
function Problem({
  onCheck,
  children,
}: {
  readonly onCheck: (() => void) | null
  readonly children: ReactNode
}) {
  return (
    <Row as="p" gap={3} className={css.problem}>
      <span>{children}</span> {onCheck && <Button onClick={onCheck}>Check again</Button>}
    </Row>
  )
}
