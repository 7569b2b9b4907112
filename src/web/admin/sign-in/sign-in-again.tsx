import { Dialog } from '#web/ui/dialog.tsx'
import { SignInForm } from './sign-in-form.tsx'
import css from './sign-in.module.css'

/** Opens over a page whose session has ended: what was typed there waits and is sent afterwards. */
export function SignInAgain({
  username,
  onSignedIn,
  onGiveUp,
}: {
  readonly username: string
  readonly onSignedIn: (username: string) => void
  readonly onGiveUp: () => void
}) {
  return (
    <Dialog title="Please sign in again" onClose={onGiveUp}>
      <p className={css.why}>
        Your session has ended. Nothing you typed is lost: it is sent once you sign in.
      </p>
      <SignInForm username={username} onSignedIn={onSignedIn} />
    </Dialog>
  )
}
