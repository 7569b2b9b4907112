import { ConfirmAddress } from '#web/public/confirm/confirm-address.tsx'
import { usePath } from '#web/address/location.ts'
import { NeedsScripts } from '#web/ui/notice.tsx'
import { Prose } from '#web/ui/prose.tsx'
import { ManageFollowing } from '#web/public/follow/manage-following.tsx'

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
