import { useState } from 'react'
import { Button, IconButton, type ButtonLook } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { later } from '#web/ui/still.tsx'

const FollowDialog = later(async () => (await import('./follow-dialog.tsx')).FollowDialog)

/** Opens a dialog to follow a person, asset or prediction; its code is loaded on demand. */
export function FollowButton({
  kind,
  subject,
  look = 'plain',
  asIcon = false,
}: {
  readonly kind: 'person' | 'asset' | 'prediction'
  readonly subject: string
  readonly look?: ButtonLook
  readonly asIcon?: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  const opener = {
    className: 'start',
    onClick: () => setOpen(true),
    'aria-haspopup': 'dialog',
  } as const
  return (
    <>
      {asIcon ? (
        <IconButton label="Follow" look="plain" {...opener}>
          <Icon name="bell" />
        </IconButton>
      ) : (
        <Button look={look} {...opener}>
          Follow
        </Button>
      )}
      {isOpen && <FollowDialog of={{ kind, subject }} onClose={() => setOpen(false)} />}
    </>
  )
}
