import { useEffect, useState } from 'react'
import { type FollowedSubject } from '#contracts/following.ts'
import { followsInBrowser, pushState, type PushState } from '#web/api/push.ts'
import { Button } from '#web/ui/button.tsx'
import { Stack } from '#web/ui/stack.tsx'
import { Callout, Text } from '#web/ui/text.tsx'
import { useChange } from '#web/ui/use-change.ts'

/** Follows in this browser; it is asked for its permission only after a press. */
export function ByBrowser({
  of,
  pushKey,
}: {
  readonly of: FollowedSubject
  readonly pushKey: string
}) {
  const [state, setState] = useState<PushState | null>(null)
  const change = useChange()
  const { kind, subject } = of
  useEffect(() => {
    let isShown = true
    void pushState({ kind, subject }).then((found) => {
      if (isShown) setState(found)
    })
    return () => {
      isShown = false
    }
  }, [kind, subject])

  const follow = (wants: 'follow' | 'unfollow'): void =>
    void change.run(async () => setState(await followsInBrowser(of, pushKey, wants)))
  return (
    <Stack as="section" gap={3}>
      <Text as="h3" size="lead" strong>
        In this browser
      </Text>
      {state === null && (
        <Text tone="quiet" role="status">
          Asking this browser…
        </Text>
      )}
      {state === 'follows' && (
        <Callout tone="good" role="status">
          You get a notification of each in this browser.
        </Callout>
      )}
      {state === 'cannot' && (
        <Text tone="quiet">
          This browser cannot show notifications of this site. On an iPhone or iPad it can once the
          site is on the home screen.
        </Text>
      )}
      {state === 'denied' && (
        <Text tone="quiet" role="status">
          Notifications of this site are blocked. You can allow them in the settings of the browser.
        </Text>
      )}
      {(state === 'follows' || state === 'open') && (
        <div>
          <Button
            disabled={change.isBusy}
            onClick={() => follow(state === 'follows' ? 'unfollow' : 'follow')}
          >
            {state === 'follows' ? 'Unfollow in this browser' : 'Follow in this browser'}
          </Button>
        </div>
      )}
      {change.said !== null && (
        <Callout tone="bad" role="alert">
          {change.said}
        </Callout>
      )}
    </Stack>
  )
}
