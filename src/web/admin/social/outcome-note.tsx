import * as calls from '#contracts/publishing.ts'
import { type SocialPost, type SocialResult } from '#contracts/publishing.ts'
import { NETWORK_NAMES, ONCE_ONLY } from '#domain/publishing/social-post.ts'
import { Act, DecisionArea } from '#web/admin/kit/use-decision.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { Button } from '#web/ui/button.tsx'
import { Row, Stack, Callout, Text } from '#web/ui/primitives.tsx'
import { isNew, longMoment } from './composition.ts'
import { useDesk, SEND_PATIENCE } from './desk.ts'

/** How an outcome is displayed; `badge` is the short form for lists. */
export type OutcomeView = {
  readonly tone: keyof typeof TONES
  readonly badge: string
  readonly title: string
  readonly text: string | null
}

/** Outcomes don't differ by colour alone. */
const SIGNS = { good: '✓', part: '◐', bad: '✕', open: '…', doubt: '?' } as const
const TONES = { good: 'good', part: 'wait', bad: 'bad', open: 'quiet', doubt: 'wait' } as const
export const TAG_TONES = { ...TONES, open: undefined } as const

const UNDER_WAY = { tone: 'open', badge: 'under way' } as const
const CHECK = { patienceMs: 70_000 }
const RELAY_STATES = {
  accepted: ['good', 'accepted'],
  already: ['good', 'had it already'],
  later: ['wait', 'not yet'],
  refused: ['bad', 'refused'],
} as const

/** Relays that have the note, and their total. */
function relayCount({ relays }: SocialResult) {
  const taken = (relays ?? []).filter(({ state }) => state === 'accepted' || state === 'already')
  return { taken: taken.length, all: relays?.length ?? 0 }
}

/**
 * The outcome as text (administrator-tools.md §8).
 *
 * @param showTime formats a moment in the browser's time zone
 */
export function outcomeView(result: SocialResult, showTime: (iso: string) => string): OutcomeView {
  const { network, state, error, fault, next_try_at: next, known_at: known } = result
  const name = NETWORK_NAMES[network]
  const again = next === null ? null : `The server tries again at ${showTime(next)}.`
  const posting = { ...UNDER_WAY, title: `Posting to ${name}…`, text: null }
  switch (state) {
    case 'posted': {
      const { taken, all } = relayCount(result)
      const isPart = taken < all
      const relays = `Posted to ${String(taken)}/${String(all)} relays`
      return {
        tone: isPart ? 'part' : 'good',
        badge: isPart ? `${String(taken)} of ${String(all)} relays` : 'posted',
        title: network === 'nostr' ? relays : 'Posted successfully!',
        text: again,
      }
    }
    case 'failed': {
      // A manual mark is not an error.
      const why = fault === 'unsent' && error ? error : `Error: ${error ?? 'no reason was given'}`
      const text = [why, again].filter(Boolean).join(' ')
      return { tone: 'bad', badge: 'failed', title: `Failed to post to ${name}`, text }
    }
    case 'unknown': {
      const title = `We don’t know whether this is on ${name}`
      return { tone: 'doubt', badge: 'unknown', title, text: error }
    }
    case 'waiting': {
      if (isNew(result)) return posting
      const text = [error, again].filter(Boolean).join(' ')
      return { ...UNDER_WAY, title: `Waiting for ${name}`, text }
    }
    case 'sending':
      if (known === null) return posting
      return {
        tone: 'doubt',
        badge: 'interrupted',
        title: `Posting to ${name} was interrupted`,
        text: `The server stopped while it was sending this. The outcome will be known at ${showTime(known)}.`,
      }
  }
}

/** Whether the server can retry part of the post without risking a duplicate. */
function mayTryAgain({ state, network, relays }: SocialResult): boolean {
  if (state === 'failed') return true
  if (state === 'unknown') return !ONCE_ONLY.includes(network)
  return state === 'posted' && (relays ?? []).some((one) => one.state === 'later')
}

export function OutcomeNote({
  post,
  result,
}: {
  readonly post: SocialPost
  readonly result: SocialResult
}) {
  const { networks, reuse } = useDesk()
  const { profile } = networks
  const { network, url, state } = result
  const name = NETWORK_NAMES[network]
  const { tone, title, text } = outcomeView(result, (iso) => longMoment(Date.parse(iso)))
  const isOnceOnly = ONCE_ONLY.includes(network)
  const isFailed = state === 'failed'
  const isDuplicate = isFailed && result.fault === 'duplicate'
  const params = { id: post.id }
  // Nostr outcomes are never in doubt.
  const doubtful = { network: network === 'bluesky' ? ('bluesky' as const) : ('x' as const) }
  const mark = (posted: boolean) => () =>
    adminCall(calls.markPost, { params, body: { posted, ...doubtful } })
  const isThere = <Act send={mark(true)}>It is there</Act>
  const account =
    profile === null || network !== 'x' ? (
      'account'
    ) : (
      <a href={profile} target="_blank" rel="noreferrer">
        profile
      </a>
    )
  return (
    <Callout as="div" tone={TONES[tone]} gap={2} role={tone === 'bad' ? 'alert' : 'status'}>
      <DecisionArea>
        <Row as="p" gap={3} className="taps">
          <Text as="b" tone={TONES[tone]}>
            <span aria-hidden="true">{SIGNS[tone]}</span> {title}
          </Text>
          {url !== null && (
            <a href={url} target="_blank" rel="noreferrer">
              See it on {name}
            </a>
          )}
        </Row>
        {text !== null && <p>{text}</p>}
        {state === 'unknown' && (
          <>
            <p>
              {isOnceOnly ? (
                <>
                  We won’t resend it automatically: it might appear twice. Check the {account}{' '}
                  first.
                </>
              ) : (
                'The server looks for it by itself. Sent again it is the same post: it cannot be there twice.'
              )}
            </p>
            <Row>
              {isThere}
              <Act send={mark(false)}>It is not there</Act>
              <Act
                look="quiet"
                send={() => adminCall(calls.checkPost, { params, query: doubtful, ...CHECK })}
              >
                {isOnceOnly ? 'Check on X (about $0.05)' : `Look on ${name} now`}
              </Act>
            </Row>
          </>
        )}
        {isDuplicate && (
          <p>An earlier try may have worked. If this post is on the {account}, mark it here.</p>
        )}
        <Relays result={result} />
        {mayTryAgain(result) && (
          <Row>
            {isDuplicate && isThere}
            <Act
              sending="Posting…"
              send={() =>
                adminCall(calls.sendPost, {
                  params,
                  body: { networks: [network] },
                  ...SEND_PATIENCE,
                })
              }
            >
              {state === 'posted' ? 'Send to the missing relays now' : `Try ${name} again`}
            </Act>
            {isFailed && (
              <Button look="quiet" onClick={() => reuse(post, [network])}>
                Change the text
              </Button>
            )}
          </Row>
        )}
      </DecisionArea>
    </Callout>
  )
}

function Relays({ result }: { readonly result: SocialResult }) {
  const { taken, all } = relayCount(result)
  if (all === 0) return null
  return (
    <details className="taps" open={taken < all}>
      <summary>
        {taken} of {all} relays have it
      </summary>
      <Stack as="ul" gap={1}>
        {result.relays?.map(({ relay, state, reason }) => {
          const [tone, word] = RELAY_STATES[state]
          return (
            <li key={relay}>
              <b>{relay.replace(/^wss:\/\//, '')}</b> ·{' '}
              <Text as="span" tone={tone}>
                {word}
              </Text>
              {reason !== null && <Text tone="quiet">{reason}</Text>}
            </li>
          )
        })}
      </Stack>
    </details>
  )
}

const APPROVALS = {
  waiting: ['quiet', 'open', 'The submission is approved once the post is out.'],
  done: ['good', 'good', 'The submission is approved.'],
  failed: ['bad', 'bad', null],
} as const

export function ApprovalNote({ post: { approval } }: { readonly post: SocialPost }) {
  if (approval === null) return null
  const [tone, sign, text] = APPROVALS[approval.state]
  const why = approval.error ?? 'no reason was given.'
  return (
    <Callout tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <span aria-hidden="true">{SIGNS[sign]}</span>{' '}
      {text ?? `The submission was not approved: ${why} Please approve it by hand.`}
    </Callout>
  )
}
