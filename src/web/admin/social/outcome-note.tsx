import { type ReactNode } from 'react'
import { checkPost, markPost, type SocialPost, type SocialResult } from '#contracts/publishing.ts'
import { ONCE_ONLY } from '#domain/publishing/social-post.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { Button } from '#web/ui/button.tsx'
import { useToasts } from '#web/ui/toasts.tsx'
import { useChange } from '#web/ui/use-change.ts'
import { sendStored, useShowPosts } from './calls.ts'
import { longMoment } from './moments.ts'
import {
  mayTryAgain,
  networkName,
  outcomeView,
  relayCount,
  RELAY_WORDS,
  SIGNS,
} from './outcomes.ts'
import css from './outcome-note.module.css'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Callout, Text } from '#web/ui/text.tsx'

const CHECK_MS = 70_000

/** What became of a post on one network, and what can be done about it. */
export function OutcomeNote({
  post,
  result,
  profile,
  onNews,
}: {
  readonly post: SocialPost
  readonly result: SocialResult
  /** Where the account's newest posts are seen; null where its name is not known. */
  readonly profile: string | null
  /** Called when something was done about it. */
  readonly onNews?: (post: SocialPost) => void
}) {
  const toasts = useToasts()
  const showPosts = useShowPosts()
  const { run, isBusy } = useChange({
    onFailed({ message }) {
      toasts.failed(message)
      void showPosts()
    },
  })
  const { network, relays, url } = result
  // Notes on Nostr are never in doubt.
  const doubtful = network === 'bluesky' ? ('bluesky' as const) : ('x' as const)
  const isOnceOnly = ONCE_ONLY.includes(network)
  const { tone, title, text } = outcomeView(result, (iso) => longMoment(Date.parse(iso)))

  async function act(work: () => Promise<SocialPost>): Promise<void> {
    await run(async () => {
      const news = await work()
      onNews?.(news)
      await showPosts(news)
    })
  }

  async function mark(posted: boolean): Promise<SocialPost> {
    const body = { posted, network: doubtful }
    return (await adminCall(markPost, { params: { id: post.id }, body })).post
  }

  /** X takes money for each post it shows. */
  async function check(): Promise<SocialPost> {
    const answer = await adminCall(checkPost, {
      params: { id: post.id },
      query: { network: doubtful },
      patienceMs: CHECK_MS,
    })
    toasts.done(answer.message)
    return answer.post
  }

  const count = relayCount(result)
  const isDuplicate = result.state === 'failed' && result.fault === 'duplicate'
  return (
    <Callout
      as="div"
      tone={TONES[tone]}
      gap={2}
      className={css.note}
      role={tone === 'bad' ? 'alert' : 'status'}
    >
      <p>
        <Text as="b" tone={TONES[tone]}>
          <span aria-hidden="true">{SIGNS[tone]}</span> {title}
        </Text>
        {url !== null && (
          <a className={css.link} href={url} target="_blank" rel="noreferrer">
            See it on {networkName(network)}
          </a>
        )}
      </p>
      {text !== null && <p>{text}</p>}
      {result.state === 'unknown' && (
        <>
          <p>
            {isOnceOnly ? (
              <>
                It is not sent again automatically, as it could be there twice. Check the{' '}
                <AccountLink profile={profile} /> first.
              </>
            ) : (
              'The server looks for it by itself. Sent again it is the same post: it cannot be there twice.'
            )}
          </p>
          <Row>
            <Button disabled={isBusy} onClick={() => void act(() => mark(true))}>
              It is there
            </Button>
            <Button disabled={isBusy} onClick={() => void act(() => mark(false))}>
              It is not there
            </Button>
            <Button look="quiet" disabled={isBusy} onClick={() => void act(check)}>
              {isOnceOnly ? 'Check on X (about $0.05)' : `Look on ${networkName(network)} now`}
            </Button>
          </Row>
        </>
      )}
      {isDuplicate && (
        <p>
          An earlier try may have worked after all. If this post is on the{' '}
          <AccountLink profile={profile} />, note it here.
        </p>
      )}
      {relays && relays.length > 0 && (
        <details className={css.relays} open={count.taken < count.all}>
          <summary>
            {count.taken} of {count.all} relays have it
          </summary>
          <Stack as="ul" gap={1}>
            {relays.map(({ relay, state, reason }) => (
              <li key={relay} data-state={state}>
                <b>{relay.replace(/^wss:\/\//, '')}</b>{' '}
                <span className={css.state}>{RELAY_WORDS[state]}</span>
                {reason !== null && <Text tone="quiet">{reason}</Text>}
              </li>
            ))}
          </Stack>
        </details>
      )}
      {mayTryAgain(result) && (
        <Row>
          {isDuplicate && (
            <Button disabled={isBusy} onClick={() => void act(() => mark(true))}>
              It is there
            </Button>
          )}
          <Button
            disabled={isBusy}
            onClick={() => void act(() => sendStored(post.id, { networks: [network] }))}
          >
            {isBusy
              ? 'Posting…'
              : result.state === 'posted'
                ? 'Send to the missing relays now'
                : `Try ${networkName(network)} again`}
          </Button>
        </Row>
      )}
    </Callout>
  )
}

/** Where the account's posts are seen, as far as its name is known. */
function AccountLink({ profile }: { readonly profile: string | null }): ReactNode {
  if (profile === null) return 'account'
  return (
    <a href={profile} target="_blank" rel="noreferrer">
      profile
    </a>
  )
}

/** What became of the submission that a post was made from. */
export function ApprovalNote({ post }: { readonly post: SocialPost }) {
  const { approval } = post
  if (approval === null) return null
  switch (approval.state) {
    case 'done':
      return (
        <Callout tone="good" className={css.note} role="status">
          <span aria-hidden="true">{SIGNS.good}</span> The submission is approved.
        </Callout>
      )
    case 'waiting':
      return (
        <Callout tone="quiet" className={css.note} role="status">
          <span aria-hidden="true">{SIGNS.open}</span> The submission is approved once the post is
          out.
        </Callout>
      )
    case 'failed':
      return (
        <Callout tone="bad" className={css.note} role="alert">
          <span aria-hidden="true">{SIGNS.bad}</span> The submission was not approved:{' '}
          {approval.error ?? 'no reason was given.'} Please approve it by hand.
        </Callout>
      )
  }
}

const TONES = { good: 'good', part: 'wait', bad: 'bad', open: 'quiet', doubt: 'wait' } as const
