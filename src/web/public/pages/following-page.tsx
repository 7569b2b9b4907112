import { ManageFollowing } from '#web/public/follow/manage-following.tsx'
import { usePath } from '#web/address/location.ts'
import { NeedsScripts } from '#web/ui/loaded.tsx'
import { Prose } from '#web/ui/prose.tsx'

export function FollowingPage() {
  const token = usePath().split('/')[2] ?? ''
  return (
    <Prose title="News by email">
      <NeedsScripts />
      <ManageFollowing token={token} />
    </Prose>
  )
}
