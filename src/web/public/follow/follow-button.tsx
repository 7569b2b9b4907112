import { useState } from 'react'
import { Button, IconButton, type ButtonLook } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { later } from '#web/ui/still.tsx'

const FollowDialog = later(async () => (await import('./follow-dialog.tsx')).FollowDialog)

/** Opens a dialog to follow a person, asset or prediction; its code is loaded on demand. */
export function FollowButton({
  kind,
  subject,
  look,
  asIcon = false,
}: {
  readonly kind: 'person' | 'asset' | 'prediction'
  readonly subject: string
  readonly look?: ButtonLook
  readonly asIcon?: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {asIcon ? (
        <IconButton
          label="Follow"
          look="plain"
          className="start"
          onClick={() => setOpen(true)}
          aria-haspopup="dialog"
        >
          <Icon name="bell" />
        </IconButton>
      ) : (
        <Button
          look={look ?? 'plain'}
          className="start"
          onClick={() => setOpen(true)}
          aria-haspopup="dialog"
        >
          Follow
        </Button>
      )}
      {isOpen && <FollowDialog of={{ kind, subject }} onClose={() => setOpen(false)} />}
    </>
  )
}
