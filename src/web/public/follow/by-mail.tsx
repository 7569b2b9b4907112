import { useState } from 'react'
import { followingPath, type FollowedSubject } from '#contracts/following.ts'
import { type Every } from '#domain/publishing/following.ts'
import {
  EVERY_NAMES,
  followWithKept,
  followWithMail,
  keptFollower,
  type KeptFollower,
} from '#web/api/following.ts'
import { Button } from '#web/ui/button.tsx'
import { Choice } from '#web/ui/choice.tsx'
import { Field } from '#web/ui/field.tsx'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Callout, Text } from '#web/ui/text.tsx'
import { useChange } from '#web/ui/use-change.ts'
import { ShownAddress } from './shown-address.tsx'

/** Follows by e-mail; with an address that was confirmed in this browser by one press. */
export function ByMail({ of }: { readonly of: FollowedSubject }) {
  const [kept, setKept] = useState<KeptFollower | null>(keptFollower)
  return (
    <Stack as="section" gap={3}>
      <Text as="h3" size="lead" strong>
        By e-mail
      </Text>
      {kept ? (
        <WithKept of={of} kept={kept} onOther={() => setKept(null)} />
      ) : (
        <WithAddress of={of} />
      )}
    </Stack>
  )
}

function WithKept({
  of,
  kept,
  onOther,
}: {
  readonly of: FollowedSubject
  readonly kept: KeptFollower
  readonly onOther: () => void
}) {
  const change = useChange()
  const [isDone, setDone] = useState(false)
  if (isDone) {
    return (
      <Callout tone="good" role="status">
        Done: news goes to <ShownAddress shown={kept.shown} />.{' '}
        <a href={followingPath(kept.token)}>What you follow</a>
      </Callout>
    )
  }
  return (
    <>
      <Row gap={3}>
        <Button
          look="primary"
          disabled={change.isBusy}
          onClick={() =>
            void change.run(async () => {
              await followWithKept(kept.token, of)
              setDone(true)
            })
          }
        >
          Follow with {kept.shown}
        </Button>
        <Button onClick={onOther}>Another address</Button>
      </Row>
      <p>
        <a href={followingPath(kept.token)}>What you follow</a>
      </p>
      {change.said !== null && (
        <Callout tone="bad" role="alert">
          {change.said}
        </Callout>
      )}
    </>
  )
}

function WithAddress({ of }: { readonly of: FollowedSubject }) {
  const [email, setEmail] = useState('')
  const [every, setEvery] = useState<Every>('now')
  const [asked, setAsked] = useState<string | null>(null)
  const change = useChange()
  const fault = change.faults['email']
  if (asked !== null) {
    return (
      <Callout tone="good" role="status">
        We have sent a mail to {asked}. Open its link and press the button: nothing else is sent
        before.
      </Callout>
    )
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void change.run(async () => {
          await followWithMail({ ...of, email, every })
          setAsked(email.trim())
        })
      }}
    >
      <Stack gap={3}>
        <Field label="E-mail address" fault={fault}>
          {(control) => (
            <input
              {...control}
              name="email"
              type="email"
              autoComplete="email"
              required
              maxLength={320}
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <Choice
          label="How often"
          name="every"
          value={every}
          options={EVERY_NAMES}
          onChange={setEvery}
        />
        <div>
          <Button look="primary" type="submit" disabled={change.isBusy}>
            {change.isBusy ? 'Sending…' : 'Follow by e-mail'}
          </Button>
        </div>
        {change.said !== null && fault === undefined && (
          <Callout tone="bad" role="alert">
            {change.said}
          </Callout>
        )}
        <Text tone="quiet" size="small">
          Each mail has a link to stop, which deletes your address.
        </Text>
      </Stack>
    </form>
  )
}
