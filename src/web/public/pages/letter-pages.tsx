import { useState } from 'react'
import { confirmMail, refuseMail } from '#contracts/following.ts'
import { usePath } from '#web/address/location.ts'
import { call } from '#web/api/call.ts'
import { ManageFollowing } from '#web/public/follow/manage-following.tsx'
import { ChangeButton } from '#web/ui/button.tsx'
import { NeedsScripts } from '#web/ui/notice.tsx'
import { Row, Failure } from '#web/ui/primitives.tsx'
import { Prose } from '#web/ui/prose.tsx'
import { useChange } from '#web/ui/use-change.ts'

export function ConfirmPage() {
  const token = usePath().split('/')[2] ?? ''
  return (
    <Prose title="Confirm your address">
      <NeedsScripts />
      <ConfirmAddress token={token} />
    </Prose>
  )
}

export function FollowingPage() {
  const token = usePath().split('/')[2] ?? ''
  return (
    <Prose title="News by email">
      <NeedsScripts />
      <ManageFollowing token={token} />
    </Prose>
  )
}

/** Accepts mails about a submission, or refuses all mails. Both need a press, because mail programs open links too. */
export function ConfirmAddress({ token }: { readonly token: string }) {
  const [done, setDone] = useState<string | null>(null)
  const change = useChange()

  async function agree(): Promise<void> {
    const { shown } = await call(confirmMail, { params: { token }, body: {} })
    setDone(
      `We will write to ${shown}, including about anything you missed. Every mail has a link to stop.`,
    )
  }

  async function refuse(): Promise<void> {
    await call(refuseMail, { params: { token }, body: {} })
    setDone('Done: this site will not write to your address again.')
  }

  if (done !== null) return <p role="status">{done}</p>
  return (
    <>
      <p>
        Someone, probably you, has asked us to write to your address when a prediction that was
        submitted here is approved, rejected or decided.
      </p>
      <Row gap={3}>
        <ChangeButton look="primary" change={change} send={agree}>
          Yes, write to me
        </ChangeButton>
        <ChangeButton change={change} send={refuse}>
          No, never write to me
        </ChangeButton>
      </Row>
      <Failure message={change.message} />
    </>
  )
}
