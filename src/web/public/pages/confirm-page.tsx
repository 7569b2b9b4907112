import { ConfirmAddress } from '#web/public/confirm/confirm-address.tsx'
import { usePath } from '#web/address/location.ts'
import { NeedsScripts } from '#web/ui/needs-scripts.tsx'
import { Prose } from '#web/ui/prose.tsx'

/** Where the link of a mail leads that asks whether its reader wants notices. */
export function ConfirmPage() {
  const token = usePath().split('/')[2] ?? ''
  return (
    <Prose title="Confirm your address">
      <NeedsScripts />
      <ConfirmAddress token={token} />
    </Prose>
  )
}
