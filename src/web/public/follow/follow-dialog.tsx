import { useState, type ReactNode } from 'react'
import {
  addFollowing,
  followByMail,
  followWays,
  type FollowedSubject,
} from '#contracts/following.ts'
import { followingPath } from '#contracts/paths.ts'
import { type Every } from '#domain/publishing/following.ts'
import { call } from '#web/api/call.ts'
import {
  EVERY_NAMES,
  storedFollower,
  type StoredFollower,
  followsInBrowser,
  pushState,
  type PushState,
} from '#web/api/following.ts'
import { Button, ChangeButton } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Choice, TextField } from '#web/ui/field.tsx'
import { useAnswer } from '#web/ui/hooks.ts'
import { Loaded, useLoaded } from '#web/ui/loaded.tsx'
import { Stack, Row, Text, Callout, Failure, sends, Note } from '#web/ui/primitives.tsx'
import { useChange, useFields } from '#web/ui/use-change.ts'

type Of = { readonly of: FollowedSubject }

export function FollowDialog({ of, onClose }: Of & { readonly onClose: () => void }) {
  const query = useLoaded(followWays, { query: of })
  // One press follows with an address that was confirmed in this browser.
  const [stored, setStored] = useState(storedFollower)
  return (
    <Dialog
      title={query.data ? `Follow ${query.data.title}` : 'Follow'}
      size="step"
      onClose={onClose}
    >
      <Loaded query={query} what="ways to follow">
        {({ mail, push, feeds, npub, person_npub: personNpub, title }) => (
          <Stack gap={6}>
            <Text tone="quiet">{WHAT[of.kind]} No account is needed.</Text>
            {mail ? (
              <Way title="By email">
                {stored ? (
                  <WithStored of={of} stored={stored} onOther={() => setStored(null)} />
                ) : (
                  <WithAddress of={of} />
                )}
              </Way>
            ) : (
              <Text tone="quiet">
                This site sends no mail: no mail server has been set up. The ways below work.
              </Text>
            )}
            {push !== null && <ByBrowser of={of} pushKey={push} />}
            <Way title="In a feed reader">
              <Stack as="ul" gap={2}>
                {feeds.map(({ name, path }) => (
                  <li key={path} className="beside">
                    <a href={path}>
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
            </Way>
            {(npub ?? personNpub) && (
              <Way title="On Nostr">
                <Stack as="ul" gap={2}>
                  {npub && <Npub label="The record of this site" npub={npub} />}
                  {personNpub && <Npub label={title} npub={personNpub} />}
                </Stack>
              </Way>
            )}
          </Stack>
        )}
      </Loaded>
    </Dialog>
  )
}

function Way({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Stack as="section">
      <Text as="h3" size="lead">
        {title}
      </Text>
      {children}
    </Stack>
  )
}

const WHAT: Readonly<Record<FollowedSubject['kind'], string>> = {
  person:
    'Get new calls, verdicts, corrections, replies, and a reminder a week before each deadline.',
  asset:
    'Get new calls, verdicts, corrections, replies, and a reminder a week before each deadline.',
  prediction: 'Get its verdict, corrections, replies, and a reminder a week before its deadline.',
}

function Npub({ label, npub }: { readonly label: string; readonly npub: string }) {
  return (
    <li className="beside">
      <span>
        <bdi>{label}</bdi>: <a href={`nostr:${npub}`}>{npub}</a>
      </span>
      <CopyButton text={npub} label="Copy npub" done="npub copied" />
    </li>
  )
}

type PushView = {
  readonly text?: string
  readonly role?: 'status'
  readonly button?: 'follow' | 'unfollow'
}
const PUSH: Readonly<Record<PushState | 'unknown', PushView>> = {
  unknown: { text: 'Asking this browser…', role: 'status' },
  follows: { text: 'You get a notification of each in this browser.', button: 'unfollow' },
  open: { button: 'follow' },
  denied: {
    text: 'Notifications of this site are blocked. You can allow them in the settings of the browser.',
    role: 'status',
  },
  cannot: {
    text: 'This browser cannot show notifications of this site. On an iPhone or iPad it can once the site is on the home screen.',
  },
}

/** Follows in this browser; permission is requested only after a press. */
function ByBrowser({ of, pushKey }: Of & { readonly pushKey: string }) {
  const { data: found = 'unknown' } = useAnswer(`${of.kind} ${of.subject}`, () => pushState(of))
  const [chosen, setChosen] = useState<PushState | null>(null)
  const change = useChange()
  const state = chosen ?? found
  const { text, button, ...look } = PUSH[state]
  return (
    <Way title="In this browser">
      {text !== undefined &&
        (state === 'follows' ? (
          <Callout tone="good" role="status">
            {text}
          </Callout>
        ) : (
          <Text tone="quiet" {...look}>
            {text}
          </Text>
        ))}
      {button && (
        <div>
          <ChangeButton
            change={change}
            send={async () => setChosen(await followsInBrowser(of, pushKey, button))}
          >
            {button === 'follow' ? 'Follow in this browser' : 'Unfollow in this browser'}
          </ChangeButton>
        </div>
      )}
      <Failure message={change.message} />
    </Way>
  )
}

function WithStored({
  of,
  stored,
  onOther,
}: Of & {
  readonly stored: StoredFollower
  readonly onOther: () => void
}) {
  const change = useChange()
  const [isDone, setDone] = useState(false)
  if (isDone) {
    return (
      <Callout tone="good" role="status">
        Done: news goes to <bdi>{stored.shown}</bdi>.{' '}
        <a href={followingPath(stored.token)}>What you follow</a>
      </Callout>
    )
  }
  return (
    <>
      <Row gap={3}>
        <ChangeButton
          look="primary"
          change={change}
          send={async () => {
            await call(addFollowing, { params: { token: stored.token }, body: of })
            setDone(true)
          }}
        >
          Follow with {stored.shown}
        </ChangeButton>
        <Button onClick={onOther}>Another address</Button>
      </Row>
      <p>
        <a href={followingPath(stored.token)}>What you follow</a>
      </p>
      <Failure message={change.message} />
    </>
  )
}

function WithAddress({ of }: Of) {
  const { values, field } = useFields({ email: '', every: 'now' as Every })
  const [sentTo, setSentTo] = useState<string | null>(null)
  const change = useChange()
  if (sentTo !== null) {
    return (
      <Callout tone="good" role="status">
        We have sent an email to {sentTo}. Open the link and confirm; we send nothing else until you
        do.
      </Callout>
    )
  }
  return (
    <form
      {...sends(() => {
        void change.run(async () => {
          await call(followByMail, { body: { ...of, ...values } })
          setSentTo(values.email.trim())
        })
      })}
    >
      <Stack gap={3}>
        <TextField
          label="Email address"
          {...field('email', change.faults)}
          type="email"
          autoComplete="email"
          required
          maxLength={320}
        />
        <Choice label="How often" {...field('every')} options={EVERY_NAMES} />
        <div>
          <Button look="primary" type="submit" disabled={change.isBusy}>
            {change.isBusy ? 'Sending…' : 'Follow by email'}
          </Button>
        </div>
        {!change.faults['email'] && <Failure message={change.message} />}
        <Note>Each mail has a link to stop, which deletes your address.</Note>
      </Stack>
    </form>
  )
}
