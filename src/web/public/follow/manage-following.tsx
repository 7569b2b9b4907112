import { useState } from 'react'
import {
  changeFollowing,
  confirmFollowing,
  endFollowing,
  readFollowing,
  refuseFollowing,
  unfollow,
} from '#contracts/following.ts'
import { call } from '#web/api/call.ts'
import { EVERY_NAMES, keepFollower } from '#web/api/following.ts'
import { Button } from '#web/ui/button.tsx'
import { Choice } from '#web/ui/field.tsx'
import { Loaded, useLoaded } from '#web/ui/loaded.tsx'
import { Row, Stack, Text, Failure, Note } from '#web/ui/primitives.tsx'
import { useChange } from '#web/ui/use-change.ts'

/** Subscriptions of an address, confirmed or pending. Changes need a press, because mail programs open links too. */
export function ManageFollowing({ token }: { readonly token: string }) {
  const params = { token }
  const query = useLoaded(readFollowing, { params })
  const change = useChange()
  const [ended, setEnded] = useState<string | null>(null)
  const run = (work: () => Promise<unknown>): void =>
    void change.run(async () => {
      await work()
      await query.refetch()
    })
  async function confirm(): Promise<void> {
    const { shown, token: own } = await call(confirmFollowing, { params, body: {} })
    keepFollower({ token: own, shown })
  }
  const end = (route: typeof endFollowing | typeof refuseFollowing, message: string): void =>
    void change.run(async () => {
      await call(route, { params, body: {} })
      keepFollower(null)
      setEnded(message)
    })
  if (ended !== null) return <p role="status">{ended}</p>
  return (
    <Loaded
      query={query}
      loading="Loading what you follow…"
      failed="What you follow could not be loaded."
    >
      {(data) => (
        <Stack gap={4}>
          {data.confirmed ? (
            <>
              <p role="status">
                It goes to <bdi>{data.shown}</bdi>. Keep the address of this page to yourself:
                anyone who has it can change what you follow.
              </p>
              <Choice
                label="How often"
                name="every"
                value={data.every}
                options={EVERY_NAMES}
                disabled={change.isBusy}
                onChange={(every) => run(() => call(changeFollowing, { params, body: { every } }))}
              />
              <Stack as="section" gap={3}>
                <h2>What you follow</h2>
                {data.follows.length === 0 ? (
                  <Text tone="quiet">Nothing yet.</Text>
                ) : (
                  <Stack as="ul" gap={2}>
                    {data.follows.map((one) => (
                      <li key={`${one.kind} ${one.subject}`} className="beside">
                        <a href={one.path}>
                          <bdi>{one.title}</bdi>
                        </a>
                        <Button
                          size="small"
                          disabled={change.isBusy}
                          aria-label={`Unfollow ${one.title}`}
                          onClick={() => run(() => call(unfollow, { params, body: one }))}
                        >
                          Unfollow
                        </Button>
                      </li>
                    ))}
                  </Stack>
                )}
              </Stack>
            </>
          ) : (
            <>
              <p>
                Someone, probably you, has asked us to write to <bdi>{data.shown}</bdi> about{' '}
                {data.follows[0] ? (
                  <a href={data.follows[0].path}>
                    <bdi>{data.follows[0].title}</bdi>
                  </a>
                ) : (
                  'a prediction'
                )}
                : new calls, verdicts, corrections and deadlines.
              </p>
              <div>
                <Button look="primary" disabled={change.isBusy} onClick={() => run(confirm)}>
                  Yes, write to me
                </Button>
              </div>
            </>
          )}
          <Failure message={change.message} />
          <Stack as="section" gap={3}>
            {data.confirmed && <h2>Stop</h2>}
            <Row gap={3}>
              <Button
                disabled={change.isBusy}
                onClick={() =>
                  end(endFollowing, 'Done: your address and all it followed are deleted.')
                }
              >
                {data.confirmed ? 'Stop all and delete my address' : 'No, delete my address'}
              </Button>
              <Button
                disabled={change.isBusy}
                onClick={() =>
                  end(
                    refuseFollowing,
                    'Done: your address is deleted, and this site will not write to it again.',
                  )
                }
              >
                Delete it, and never write to me
              </Button>
            </Row>
            <Note>
              Deleting removes your address. “Never” keeps an unreadable fingerprint of it so we can
              honour that.
            </Note>
          </Stack>
        </Stack>
      )}
    </Loaded>
  )
}
