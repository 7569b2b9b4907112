import { type FollowedSubject } from '#contracts/following.ts'
import { useCallback } from 'react'
import { fetchWays, type FollowWays } from '#web/api/following.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { ByBrowser } from './by-browser.tsx'
import { ByMail } from './by-mail.tsx'
import { useLoaded } from '#web/ui/use-loaded.ts'
import css from './follow-dialog.module.css'

/** The ways of hearing what becomes of a person's calls, an asset or a prediction. */
export function FollowDialog({
  of,
  onClose,
}: {
  readonly of: FollowedSubject
  readonly onClose: () => void
}) {
  const { kind, subject } = of
  const load = useCallback(
    (signal: AbortSignal) => fetchWays({ kind, subject }, signal),
    [kind, subject],
  )
  const ways = useLoaded(load)
  return (
    <Dialog
      title={ways.data ? `Follow ${ways.data.title}` : 'Follow'}
      size="step"
      onClose={onClose}
    >
      <Loaded
        query={ways}
        loading="Loading the ways to follow..."
        failed="The ways to follow could not be loaded."
      >
        {(data) => <Ways of={of} ways={data} />}
      </Loaded>
    </Dialog>
  )
}

function Ways({ of, ways }: { readonly of: FollowedSubject; readonly ways: FollowWays }) {
  return (
    <Stack gap={6}>
      <Text tone="quiet">{WHAT[of.kind]} No account is needed.</Text>
      {ways.mail ? (
        <ByMail of={of} />
      ) : (
        <Text tone="quiet">
          This site sends no mail: no mail server has been set up. The ways below work.
        </Text>
      )}
      {ways.push !== null && <ByBrowser of={of} pushKey={ways.push} />}
      <Stack as="section" gap={2}>
        <Text as="h3" size="lead" strong>
          In a feed reader
        </Text>
        <Stack as="ul" gap={2} className={css.list}>
          {ways.feeds.map(({ name, path }) => (
            <li key={path} className={css.item}>
              <a href={path} className={css.name}>
                Feed of <bdi>{name}</bdi>
              </a>
              <CopyButton
                text={new URL(path, window.location.href).href}
                label="Copy address"
                done="Address copied"
              />
            </li>
          ))}
        </Stack>
      </Stack>
      {(ways.npub ?? ways.person_npub) && (
        <Stack as="section" gap={2}>
          <Text as="h3" size="lead" strong>
            On Nostr
          </Text>
          <Stack as="ul" gap={2} className={css.list}>
            {ways.npub && <Npub label="The record of this site" npub={ways.npub} />}
            {ways.person_npub && <Npub label={ways.title} npub={ways.person_npub} />}
          </Stack>
        </Stack>
      )}
    </Stack>
  )
}

const WHAT: Readonly<Record<FollowedSubject['kind'], string>> = {
  person:
    'You hear of each new call, each verdict, each correction, and of deadlines a week before.',
  asset:
    'You hear of each new call, each verdict, each correction, and of deadlines a week before.',
  prediction: 'You hear of its verdict, each correction, and of its deadline a week before.',
}

function Npub({ label, npub }: { readonly label: string; readonly npub: string }) {
  return (
    <li className={css.item}>
      <span className={css.name}>
        <bdi>{label}</bdi>: <a href={`nostr:${npub}`}>{npub}</a>
      </span>
      <CopyButton text={npub} label="Copy npub" done="npub copied" />
    </li>
  )
}
