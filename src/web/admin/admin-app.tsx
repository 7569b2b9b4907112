import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { ToastRoom } from '#web/ui/toasts.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Stack, Text, Note } from '#web/ui/primitives.tsx'
import { askBy } from '#web/api/admin-call.ts'
import { roleMay, type Right } from '#contracts/access.ts'
import { probe } from '#contracts/accounts.ts'
import { call, CallError } from '#web/api/call.ts'
import { forgetSignedIn, rememberSignedIn, useHints, useRole, RoleContext } from './hints.ts'
import { GROUPS } from './screens.ts'
import { SignInForm } from './sign-in/sign-in-form.tsx'
import { AdminPage, ScreenTitle, useTitle } from '#web/admin/kit/screen.tsx'
import { AdminShell } from './admin-shell.tsx'
import css from './admin-shell.module.css'
import { later } from '#web/ui/still.tsx'

function newClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // Offline, calls should fail with a message instead of pausing silently.
        networkMode: 'always',
        // Retrying a refused call is pointless; an unreachable server may come back.
        retry: (count, error) =>
          count < 1 && !(error instanceof CallError && error.status >= 400 && error.status < 500),
        retryDelay: 1_000,
      },
      mutations: { networkMode: 'always' },
    },
  })
}

export function AdminApp() {
  const [client] = useState(newClient)
  return (
    <QueryClientProvider client={client}>
      <ToastRoom>
        <Switch>
          <Route path="/admin" component={Entrance} />
          <Route path="/admin/login" component={Entrance} />
          <Route path="/admin/password" component={PasswordLinkPage} />
          <Route component={Inside} />
        </Switch>
      </ToastRoom>
    </QueryClientProvider>
  )
}

const START = '/admin/dashboard'

function Entrance() {
  const { isSignedIn } = useHints()
  // The session cookie may outlive the sign-in hint, for example when storage was cleared.
  const { data: session, isPending } = useQuery({
    queryKey: ['session'],
    queryFn: ({ signal }) => call(probe, { signal }),
    enabled: !isSignedIn,
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  })
  useEffect(() => {
    if (session) rememberSignedIn(session.username)
  }, [session])
  if (isSignedIn) return <Redirect to={nextAddress() ?? START} replace />
  if (isPending || session) return null
  return (
    <Outside title="Administration" tab="Login">
      <SignInForm onSignedIn={rememberSignedIn} />
    </Outside>
  )
}

/** The page that required sign-in; only addresses of this app are accepted. */
function nextAddress(): string | null {
  const next = new URLSearchParams(window.location.search).get('next')
  return next !== null && /^\/admin\/[\w/?=&.%-]*$/.test(next) ? next : null
}

function Inside() {
  const { isSignedIn } = useHints()
  const [path] = useLocation()
  if (!isSignedIn) {
    const here = path + window.location.search
    return <Redirect to={`/admin/login?next=${encodeURIComponent(here)}`} replace />
  }
  return (
    <AdminShell>
      <Switch>
        {GROUPS.flatMap(({ screens }) => screens).map(({ to, right, title, Page }) => (
          <Route key={to} path={to}>
            <ScreenTitle value={title}>
              <Allowed right={right}>
                <Suspense fallback={LOADING}>
                  <Page />
                </Suspense>
              </Allowed>
            </ScreenTitle>
          </Route>
        ))}
        <Route>
          <AdminPage title="Page not found">
            <Text tone="quiet">There is no such screen.</Text>
          </AdminPage>
        </Route>
      </Switch>
      <SignInAgain />
    </AdminShell>
  )
}

const LOADING = (
  <AdminPage>
    <Notice title="Loading…" />
  </AdminPage>
)

function Allowed({ right, children }: { readonly right: Right; readonly children: ReactNode }) {
  const role = useRole()
  if (role === null) return LOADING
  if (!roleMay(role, right)) {
    return (
      <AdminPage>
        <Notice
          title="This page is for administrators"
          text="You are signed in as a reviewer: you can review submissions and extract predictions from posts."
        />
      </AdminPage>
    )
  }
  return <RoleContext value={role}>{children}</RoleContext>
}

/** Holds the calls of an expired session until the administrator signs in again, so no input is lost. */
function SignInAgain() {
  const { username } = useHints()
  const [held, setHeld] = useState<PromiseWithResolvers<void> | null>(null)
  useEffect(() => {
    askBy(() => {
      const next = Promise.withResolvers<void>()
      setHeld(next)
      return next.promise.finally(() => setHeld(null))
    })
  }, [])
  if (!held) return null
  return (
    <Dialog
      title="Please sign in again"
      onClose={() => {
        held.reject(new CallError('Please sign in.', 401))
        forgetSignedIn()
      }}
    >
      <Stack gap={4}>
        <Text tone="quiet">
          Your session has ended. Nothing you typed is lost: it is sent once you sign in.
        </Text>
        <SignInForm
          username={username}
          onSignedIn={(name) => {
            rememberSignedIn(name)
            held.resolve()
          }}
        />
      </Stack>
    </Dialog>
  )
}

const PasswordLinkForm = later(
  async () => (await import('#web/admin/sign-in/password-link-form.tsx')).PasswordLinkForm,
)

/** The target of password links. The token is in the fragment, which browsers do not send to servers. */
function PasswordLinkPage() {
  const [token] = useState(() => window.location.hash.slice(1))
  const [, go] = useLocation()
  return (
    <Outside title="Choose a password">
      <Suspense fallback={null}>
        <PasswordLinkForm
          token={token}
          onChosen={() => {
            forgetSignedIn()
            go('/admin/login', { replace: true })
          }}
        />
      </Suspense>
    </Outside>
  )
}

function Outside({
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
      <Stack gap={6} className="narrow">
        <Text as="h1" size="head">
          {title}
        </Text>
        {children}
        <Note>
          <a href="/">Back to Proof of Price</a>
        </Note>
      </Stack>
    </main>
  )
}
