import { Suspense, useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useTitle } from '#web/admin/kit/screen.tsx'
import { forgetSignedIn } from '#web/admin/hints.ts'
import { SignInForm } from '#web/admin/sign-in/sign-in-form.tsx'
import { Stack, Text } from '#web/ui/primitives.tsx'
import { later } from '#web/ui/still.tsx'
import css from '#web/admin/admin-shell.module.css'

const PasswordLinkForm = later(
  async () => (await import('#web/admin/sign-in/password-link-form.tsx')).PasswordLinkForm,
)

export function LoginPage({ onSignedIn }: { readonly onSignedIn: (username: string) => void }) {
  return (
    <Entrance title="Administration" tab="Login">
      <SignInForm onSignedIn={onSignedIn} />
    </Entrance>
  )
}

/** The target of password links. The token is in the fragment, which browsers do not send to servers. */
export function PasswordLinkPage() {
  const [token] = useState(() => window.location.hash.slice(1))
  const [, go] = useLocation()
  return (
    <Entrance title="Choose a password">
      <Suspense fallback={null}>
        <PasswordLinkForm
          token={token}
          onChosen={() => {
            forgetSignedIn()
            go('/admin/login', { replace: true })
          }}
        />
      </Suspense>
    </Entrance>
  )
}

function Entrance({
  title,
  tab = title,
  children,
}: {
  readonly title: string
  readonly tab?: string
  readonly children: ReactNode
}) {
  useTitle(tab)
  return (
    <main className={css.entrance} id="content">
      <Stack gap={6}>
        <Text as="h1" size="head">
          {title}
        </Text>
        {children}
        <Text tone="quiet" size="small">
          <a href="/">Back to Proof of Price</a>
        </Text>
      </Stack>
    </main>
  )
}
