import { type Asset } from '#domain/asset.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Dialog, DialogClose } from '#web/ui/dialog.tsx'
import css from './submit-dialog.module.css'

/** The frame of the submit form. Until payments are in place it says so, instead of taking what it cannot keep. */
export function SubmitDialog({
  asset,
  onClose,
}: {
  readonly asset: Asset
  readonly onClose: () => void
}) {
  return (
    <Dialog title={asset.texts.submitTitle} onClose={onClose}>
      <div className={css.content}>
        <p>
          Submissions are not open yet. They start together with Lightning payments: you will name
          who said it, what they said and where, pay a few sats, and an administrator reviews it
          before it goes live.
        </p>
        <p>Until then nothing can be sent from here.</p>
        <div className={css.actions}>
          <DialogClose className={buttonClass('primary')}>Close</DialogClose>
          <a className={buttonClass('plain')} href="/methodology">
            How verdicts are decided
          </a>
        </div>
      </div>
    </Dialog>
  )
}
