import { useTitle } from '#web/admin/admin-page.tsx'
import { SignInForm } from '#web/admin/sign-in/sign-in-form.tsx'
import css from './login-page.module.css'
import { Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

/** The login screen (administrator-tools.md §2). */
export function LoginPage({ onSignedIn }: { readonly onSignedIn: (username: string) => void }) {
  useTitle('Login')
  return (
    <main className={css.page} id="content">
      <Stack gap={6} className={css.panel}>
        <Text as="h1" size="head">
          Administration
        </Text>
        <SignInForm onSignedIn={onSignedIn} />
        <Text tone="quiet" size="small">
          <a href="/">Back to Proof of Price</a>
        </Text>
      </Stack>
    </main>
  )
}
