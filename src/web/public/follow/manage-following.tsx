import { useCallback, useState } from 'react'
import { sentenceOf } from '#web/api/call.ts'
import {
  changeEvery,
  confirmFollow,
  endFollow,
  EVERY_NAMES,
  fetchFollowing,
  refuseFollow,
  unfollowOne,
  type FollowingState,
} from '#web/api/following.ts'
import { Button } from '#web/ui/button.tsx'
import { Choice } from '#web/ui/field.tsx'
import { Row, Stack, Text, Failure } from '#web/ui/primitives.tsx'
import { useChange, type Change } from '#web/ui/use-change.ts'
import { useLoaded } from '#web/ui/loaded.tsx'
import css from './follow-dialog.module.css'

/** Subscriptions of an address, confirmed or pending. Changes need a press, because mail programs open links too. */
export function ManageFollowing({ token }: { readonly token: string }) {
  const load = useCallback((signal: AbortSignal) => fetchFollowing(token, signal), [token])
  const { data, error, refetch } = useLoaded(load)
  const change = useChange()
  const [ended, setEnded] = useState<string | null>(null)
  const run = (work: () => Promise<unknown>): void =>
    void change.run(async () => {
      await work()
      await refetch()
    })
  const end = (work: () => Promise<void>, message: string): void =>
    void change.run(async () => {
      await work()
      setEnded(message)
    })
  if (ended !== null) return <p role="status">{ended}</p>
  if (!data) {
    return error ? (
      <Stack gap={3} align="start">
        <p role="alert">{sentenceOf(error)}</p>
        <Button onClick={() => void refetch()}>Try again</Button>
      </Stack>
    ) : (
      <p role="status">Loading what you follow…</p>
    )
  }
  return (
    <Stack gap={4}>
      {data.confirmed ? (
        <Followed
          data={data}
          change={change}
          onEvery={(every) => run(() => changeEvery(token, every))}
          onUnfollow={(one) => run(() => unfollowOne(token, one))}
        />
      ) : (
        <Unconfirmed
          data={data}
          change={change}
          onConfirm={() => run(() => confirmFollow(token))}
        />
      )}
      <Failure message={change.message} />
      <Stack as="section" gap={3}>
        {data.confirmed && <h2>Stop</h2>}
        <Row gap={3}>
          <Button
            disabled={change.isBusy}
            onClick={() =>
              end(() => endFollow(token), 'Done: your address and all it followed are deleted.')
            }
          >
            {data.confirmed ? 'Stop all and delete my address' : 'No, delete my address'}
          </Button>
          <Button
            disabled={change.isBusy}
            onClick={() =>
              end(
                () => refuseFollow(token),
                'Done: your address is deleted, and this site will not write to it again.',
              )
            }
          >
            Delete it, and never write to me
          </Button>
        </Row>
        <Text tone="quiet" size="small">
          Deleting removes your address. “Never” keeps an unreadable fingerprint of it so we can
          honour that.
        </Text>
      </Stack>
    </Stack>
  )
}

function Unconfirmed({
  data: { shown, follows },
  change,
  onConfirm,
}: {
  readonly data: FollowingState
  readonly change: Change
  readonly onConfirm: () => void
}) {
  const [one] = follows
  return (
    <>
      <p>
        Someone, probably you, has asked us to write to <span className={css.address}>{shown}</span>{' '}
        about{' '}
        {one ? (
          <a href={one.path}>
            <bdi>{one.title}</bdi>
          </a>
        ) : (
          'a prediction'
        )}
        : new calls, verdicts, corrections and deadlines.
      </p>
      <div>
        <Button look="primary" disabled={change.isBusy} onClick={onConfirm}>
          Yes, write to me
        </Button>
      </div>
    </>
  )
}

function Followed({
  data: { shown, every, follows },
  change,
  onEvery,
  onUnfollow,
}: {
  readonly data: FollowingState
  readonly change: Change
  readonly onEvery: (every: FollowingState['every']) => void
  readonly onUnfollow: (one: FollowingState['follows'][number]) => void
}) {
  return (
    <>
      <p role="status">
        It goes to <span className={css.address}>{shown}</span>. Keep the address of this page to
        yourself: anyone who has it can change what you follow.
      </p>
      <Choice
        label="How often"
        name="every"
        value={every}
        options={EVERY_NAMES}
        disabled={change.isBusy}
        onChange={onEvery}
      />
      <Stack as="section" gap={3}>
        <h2>What you follow</h2>
        {follows.length === 0 ? (
          <Text tone="quiet">Nothing yet.</Text>
        ) : (
          <Stack as="ul" gap={2}>
            {follows.map((one) => (
              <li key={`${one.kind} ${one.subject}`} className="beside">
                <a href={one.path}>
                  <bdi>{one.title}</bdi>
                </a>
                <Button
                  size="small"
                  disabled={change.isBusy}
                  aria-label={`Unfollow ${one.title}`}
                  onClick={() => onUnfollow(one)}
                >
                  Unfollow
                </Button>
              </li>
            ))}
          </Stack>
        )}
      </Stack>
    </>
  )
}
