import { useTitle } from '#web/admin/use-title.ts'
import { SignInForm } from '#web/features/sign-in/sign-in-form.tsx'
import css from './login-page.module.css'

/** The login screen (administrator-tools.md §2). */
export function LoginPage({ onSignedIn }: { readonly onSignedIn: (username: string) => void }) {
  useTitle('Login')
  return (
    <main className={css.page} id="content">
      <div className={css.panel}>
        <h1 className={css.title}>Administration</h1>
        <SignInForm onSignedIn={onSignedIn} />
        <p className={css.back}>
          <a href="/">Back to Proof of Price</a>
        </p>
      </div>
    </main>
  )
}
