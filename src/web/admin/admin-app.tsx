import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { Suspense, useCallback, useEffect, useState, type ReactNode } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { ToastRoom } from '#web/ui/toasts.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Stack, Text, Note } from '#web/ui/primitives.tsx'
import { askBy } from '#web/api/admin-call.ts'
import { roleMay, type Right, type Role } from '#contracts/access.ts'
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
  const [, go] = useLocation()
  const [wasSignedIn] = useState(isSignedIn)
  // The session cookie may outlive the sign-in hint, for example when storage was cleared.
  const session = useQuery({
    queryKey: ['session'],
    queryFn: ({ signal }) => call(probe, { signal }),
    enabled: !wasSignedIn,
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  })
  const username = session.data?.username
  const enter = useCallback(
    (name: string): void => {
      rememberSignedIn(name)
      go(nextAddress() ?? START, { replace: true })
    },
    [go],
  )
  useEffect(() => {
    if (username !== undefined) enter(username)
  }, [username, enter])
  if (wasSignedIn) return <Redirect to={START} replace />
  if (session.isPending || username !== undefined) return null
  return (
    <Outside title="Administration" tab="Login">
      <SignInForm onSignedIn={enter} />
    </Outside>
  )
}

/** The page that required sign-in; only addresses of this app are accepted. */
function nextAddress(): string | null {
  const next = new URLSearchParams(window.location.search).get('next')
  return next !== null && /^\/admin\/[\w/?=&.%-]*$/.test(next) ? next : null
}

function Inside() {
  const { isSignedIn, username } = useHints()
  const [path] = useLocation()
  const again = useSignInAgain()
  const role = useRole()
  if (!isSignedIn) {
    const here = path + window.location.search
    return <Redirect to={`/admin/login?next=${encodeURIComponent(here)}`} replace />
  }
  return (
    <AdminShell username={username} path={path} role={role}>
      <Switch>
        {GROUPS.flatMap(({ screens }) => screens).map(({ to, right, title, Page }) => (
          <Route key={to} path={to}>
            <ScreenTitle value={title}>
              <Allowed role={role} right={right}>
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
      {again.isPending && (
        <Dialog
          title="Please sign in again"
          onClose={() => {
            again.answer(false)
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
                again.answer(true)
              }}
            />
          </Stack>
        </Dialog>
      )}
    </AdminShell>
  )
}

const LOADING = (
  <AdminPage>
    <Notice title="Loading…" />
  </AdminPage>
)

function Allowed({
  role,
  right,
  children,
}: {
  readonly role: Role | null
  readonly right: Right
  readonly children: ReactNode
}) {
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
function useSignInAgain() {
  const [pending, setPending] = useState<{ answer: (isSignedIn: boolean) => void } | null>(null)
  useEffect(() => {
    askBy(
      () =>
        new Promise<void>((done, fail) => {
          setPending({
            answer: (isSignedIn) => {
              setPending(null)
              if (isSignedIn) done()
              else fail(new CallError('Please sign in.', 401))
            },
          })
        }),
    )
  }, [])
  return {
    isPending: pending !== null,
    answer: (isSignedIn: boolean) => pending?.answer(isSignedIn),
  }
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
