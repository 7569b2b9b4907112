import { useState } from 'react'
import { sentenceOf } from '#web/api/call.ts'
import { stopNotices } from '#web/api/payments.ts'
import { Button } from '#web/ui/button.tsx'
import { Stack } from '#web/ui/stack.tsx'

/** Ends the notices of a submission after the link of a mail was followed. */
export function StopNotices({ token }: { readonly token: string }) {
  const [state, setState] = useState<'open' | 'sending' | 'stopped'>('open')
  const [fault, setFault] = useState<string | null>(null)

  async function stop(): Promise<void> {
    setState('sending')
    setFault(null)
    try {
      await stopNotices(token)
      setState('stopped')
    } catch (error) {
      setFault(sentenceOf(error))
      setState('open')
    }
  }

  return (
    <Stack as="section" align="start" ruled aria-label="Notices">
      {state === 'stopped' ? (
        <p role="status">
          Done: you will get no more notices about this submission, and your contact has been
          deleted.
        </p>
      ) : (
        <>
          <p>Stop hearing about this submission?</p>
          <p>
            <Button look="primary" disabled={state === 'sending'} onClick={() => void stop()}>
              Stop the notices
            </Button>
          </p>
        </>
      )}
      {fault && <p role="alert">{fault}</p>}
    </Stack>
  )
}
