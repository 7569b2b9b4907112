import { lazy, Suspense, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import css from './follow-button.module.css'

const FollowDialog = lazy(async () => ({
  default: (await import('./follow-dialog.tsx')).FollowDialog,
}))

/** Offers news of a person, an asset or a prediction; its dialog is loaded with the press. */
export function FollowButton({
  kind,
  subject,
}: {
  readonly kind: 'person' | 'asset' | 'prediction'
  readonly subject: string
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button className={css.follow} onClick={() => setOpen(true)} aria-haspopup="dialog">
        Follow
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <FollowDialog of={{ kind, subject }} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
