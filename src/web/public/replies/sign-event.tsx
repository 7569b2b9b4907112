import { useState } from 'react'
import { type z } from 'zod'
import { SignedReply as Signed, type UnsignedReply } from '#contracts/replies.ts'
import { CallError } from '#web/api/call.ts'
import { jsonOf } from '#web/api/page-stream.ts'
import { ChangeButton } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Row, Stack, Note } from '#web/ui/primitives.tsx'
import { type Change } from '#web/ui/use-change.ts'

export type SignedReply = z.infer<typeof Signed>

export function SignEvent({
  label,
  change,
  prepare,
  send,
}: {
  /** Label of the signing action: `Sign and send`. */
  readonly label: string
  readonly change: Change
  readonly prepare: () => Promise<UnsignedReply>
  readonly send: (event: SignedReply) => Promise<void>
}) {
  const [visible, setUnsigned] = useState<string | null>(null)
  const [pasted, setPasted] = useState('')
  const offersExtension = typeof window.nostr?.signEvent === 'function'
  return (
    <Stack gap={3}>
      <Row>
        {offersExtension && (
          <ChangeButton
            look="primary"
            change={change}
            send={async () => send(await signByExtension(await prepare()))}
          >
            {label} with the extension
          </ChangeButton>
        )}
        <ChangeButton
          change={change}
          send={async () => setUnsigned(JSON.stringify(await prepare(), null, 1))}
        >
          Sign elsewhere
        </ChangeButton>
      </Row>
      {!offersExtension && visible === null && (
        <Note>
          This browser has no Nostr extension (NIP-07). You can sign with any program that signs an
          event as it is.
        </Note>
      )}
      {visible !== null && (
        <Stack gap={3}>
          <pre className="small as-written" aria-label="What to sign">
            {visible}
          </pre>
          <Row>
            <CopyButton text={visible} label="Copy what to sign" done="Copied" />
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
            <ChangeButton
              look="primary"
              change={change}
              send={async () => send(readPasted(pasted))}
            >
              {label}
            </ChangeButton>
          </Row>
        </Stack>
      )}
    </Stack>
  )
}

declare global {
  interface Window {
    /** Provided by an extension (NIP-07). */
    readonly nostr?: { readonly signEvent?: (event: UnsignedReply) => Promise<unknown> }
  }
}

async function signByExtension(event: UnsignedReply): Promise<SignedReply> {
  if (!window.nostr?.signEvent) throw new CallError('This browser has no Nostr extension.', 0)
  let answer: unknown
  try {
    answer = await window.nostr.signEvent(event)
  } catch {
    throw new CallError('The extension did not sign.', 0)
  }
  const signed = Signed.safeParse(answer).data
  if (!signed) throw new CallError('The extension did not return a signed event.', 0)
  return signed
}

/** @throws CallError */
function readPasted(text: string): SignedReply {
  const parsed = Signed.safeParse(jsonOf(text)).data
  if (!parsed) {
    throw new CallError('This is not a signed event. Please paste all of it, from { to }.', 0)
  }
  return parsed
}
