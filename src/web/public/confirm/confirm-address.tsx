import { useState } from 'react'
import { sentenceOf } from '#web/api/call.ts'
import { confirmAddress, refuseAddress } from '#web/api/payments.ts'
import { Button } from '#web/ui/button.tsx'
import { Row, Failure } from '#web/ui/primitives.tsx'

type State =
  | { readonly at: 'open' | 'sending' | 'refused' }
  | { readonly at: 'confirmed'; readonly shown: string }

/** Agrees to mails about a submission, or refuses all mails; only a press does either, as programs open links too. */
export function ConfirmAddress({ token }: { readonly token: string }) {
  const [state, setState] = useState<State>({ at: 'open' })
  const [fault, setFault] = useState<string | null>(null)

  async function run(task: () => Promise<State>): Promise<void> {
    setState({ at: 'sending' })
    setFault(null)
    try {
      setState(await task())
    } catch (error) {
      setFault(sentenceOf(error))
      setState({ at: 'open' })
    }
  }

  if (state.at === 'confirmed') {
    return (
      <p role="status">
        We will write to {state.shown}, including about anything you missed. Every mail has a link
        to stop.
      </p>
    )
  }
  if (state.at === 'refused') {
    return <p role="status">Done: this site will not write to your address again.</p>
  }
  const isBusy = state.at === 'sending'
  return (
    <>
      <p>
        Someone, probably you, has asked us to write to your address when a prediction that was
        submitted here is approved, rejected or decided.
      </p>
      <Row gap={3}>
        <Button
          look="primary"
          disabled={isBusy}
          onClick={() =>
            void run(async () => ({ at: 'confirmed', shown: (await confirmAddress(token)).shown }))
          }
        >
          Yes, write to me
        </Button>
        <Button
          disabled={isBusy}
          onClick={() =>
            void run(async () => {
              await refuseAddress(token)
              return { at: 'refused' }
            })
          }
        >
          No, never write to me
        </Button>
      </Row>
      <Failure said={fault} />
    </>
  )
}
