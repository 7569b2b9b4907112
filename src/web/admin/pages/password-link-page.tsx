import { useState } from 'react'
import { useLocation } from 'wouter'
import { useTitle } from '#web/admin/admin-page.tsx'
import { forgetSignedIn } from '#web/admin/hints.ts'
import { PasswordLinkForm } from '#web/admin/sign-in/password-link-form.tsx'
import { useToasts } from '#web/ui/toasts.tsx'
import { Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import css from './login-page.module.css'

/** Where a link for a password leads. Its token is behind the `#`, which a browser sends to no server. */
export function PasswordLinkPage() {
  useTitle('Choose a password')
  const [token] = useState(() => window.location.hash.slice(1))
  const [, go] = useLocation()
  const toasts = useToasts()
  return (
    <main className={css.page} id="content">
      <Stack gap={6} className={css.panel}>
        <Text as="h1" size="head">
          Choose a password
        </Text>
        <PasswordLinkForm
          token={token}
          onChosen={() => {
            toasts.done('Your password is set. Please sign in with it.')
            forgetSignedIn()
            go('/admin/login', { replace: true })
          }}
        />
        <Text tone="quiet" size="small">
          <a href="/">Back to Proof of Price</a>
        </Text>
      </Stack>
    </main>
  )
}
