import { useState } from 'react'
import { type UnsignedReply } from '#contracts/replies.ts'
import { CallError } from '#web/api/call.ts'
import { type SignedReply } from '#web/api/replies.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { type Change } from '#web/ui/use-change.ts'
import css from './replies.module.css'
import { hasSigner, readPasted, signByExtension } from './nostr-signer.ts'

/** Has an event signed: by the browser's extension, or elsewhere. */
export function SignEvent({
  label,
  change,
  prepare,
  send,
}: {
  /** What the signature does: `Sign and send`. */
  readonly label: string
  readonly change: Change
  /** Fetches what is to be signed. */
  readonly prepare: () => Promise<UnsignedReply>
  readonly send: (event: SignedReply) => Promise<void>
}) {
  const [shown, setShown] = useState<string | null>(null)
  const [pasted, setPasted] = useState('')
  const offersExtension = hasSigner()
  return (
    <Stack gap={3}>
      <Row>
        {offersExtension && (
          <Button
            look="primary"
            disabled={change.isBusy}
            onClick={() =>
              void change.run(async () => {
                const unsigned = await prepare()
                await send(await said(signByExtension(unsigned)))
              })
            }
          >
            {label} with the extension
          </Button>
        )}
        <Button
          disabled={change.isBusy}
          onClick={() =>
            void change.run(async () => setShown(JSON.stringify(await prepare(), null, 1)))
          }
        >
          Sign elsewhere
        </Button>
      </Row>
      {!offersExtension && shown === null && (
        <Text tone="quiet" size="small">
          This browser has no Nostr extension (NIP-07). You can sign with any program that signs an
          event as it is.
        </Text>
      )}
      {shown !== null && (
        <Stack gap={3}>
          <pre className={css.event} aria-label="What to sign">
            {shown}
          </pre>
          <Row>
            <CopyButton text={shown} label="Copy what to sign" done="Copied" />
          </Row>
          <TextField
            label="The signed event"
            name="event"
            rows={5}
            value={pasted}
            hint="Within 30 minutes. It is never sent to a relay."
            fault={change.faults['event']}
            onChange={setPasted}
          />
          <Row>
            <Button
              look="primary"
              disabled={change.isBusy}
              onClick={() =>
                void change.run(async () =>
                  send(await said(Promise.resolve().then(() => readPasted(pasted)))),
                )
              }
            >
              {label}
            </Button>
          </Row>
        </Stack>
      )}
    </Stack>
  )
}

/** The sentence of a failure that is none of the server's. */
async function said<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (error) {
    throw error instanceof Error ? new CallError(error.message, 0) : error
  }
}
