import { ManageFollowing } from '#web/public/follow/manage-following.tsx'
import { usePath } from '#web/address/location.ts'
import { NeedsScripts } from '#web/ui/needs-scripts.tsx'
import { Prose } from '#web/ui/prose.tsx'

/** Where the links of mails about what is followed lead. */
export function FollowingPage() {
  const token = usePath().split('/')[2] ?? ''
  return (
    <Prose title="News by e-mail">
      <NeedsScripts />
      <ManageFollowing token={token} />
    </Prose>
  )
}
