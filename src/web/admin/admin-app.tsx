import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { Redirect, Route, Switch, useLocation, Link } from 'wouter'
import { roleMay, type Right } from '#contracts/access.ts'
import { probe, logout, reviewWaiting } from '#contracts/accounts.ts'
import { showCount } from '#domain/price-text.ts'
import { useCall } from '#web/admin/kit/list.tsx'
import { AdminPage, ScreenTitle, useTitle } from '#web/admin/kit/screen.tsx'
import { askBy } from '#web/api/admin-call.ts'
import { call, CallError } from '#web/api/call.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { useEscape } from '#web/ui/hooks.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Stack, Text, Note, Row } from '#web/ui/primitives.tsx'
import { later } from '#web/ui/still.tsx'
import { ThemeSwitch } from '#web/ui/theme-switch.tsx'
import { ToastRoom, useToasts } from '#web/ui/toasts.tsx'
import { addressOfDashboard, PUBLISH } from './addresses.ts'
import { forgetSignedIn, rememberSignedIn, useHints, useRole, RoleContext } from './hints.ts'
import { GROUPS } from './screens.ts'
import { SignInForm } from './sign-in/sign-in-form.tsx'
import css from './admin-shell.module.css'

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
          <Route path={LOGIN} component={Entrance} />
          <Route path="/admin/password" component={PasswordLinkPage} />
          <Route component={Inside} />
        </Switch>
      </ToastRoom>
    </QueryClientProvider>
  )
}

const START = '/admin/dashboard'
const LOGIN = '/admin/login'

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
  const url = next === null ? null : URL.parse(next, window.location.origin)
  const isInside = url?.origin === window.location.origin && url.pathname.startsWith('/admin/')
  return isInside && url.pathname !== LOGIN ? url.pathname + url.search : null
}

function Inside() {
  const { isSignedIn } = useHints()
  const [path] = useLocation()
  if (!isSignedIn) {
    const here = path + window.location.search
    return <Redirect to={`${LOGIN}?next=${encodeURIComponent(here)}`} replace />
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
      <PasswordLinkForm
        token={token}
        onChosen={() => {
          forgetSignedIn()
          go(LOGIN, { replace: true })
        }}
      />
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

const WAITING_MS = 10_000

function AdminShell({ children }: { readonly children: ReactNode }) {
  const { username } = useHints()
  // Until it is known, only screens open to every role are listed.
  const role = useRole()
  const [path] = useLocation()
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  const toasts = useToasts()
  const isOpen = openedAt === path
  const groups = GROUPS.map(({ title, screens }) => ({
    title,
    screens: screens.filter(({ right }) => roleMay(role ?? 'reviewer', right)),
  })).filter(({ screens }) => screens.length > 0)
  const { data: counts } = useCall(
    reviewWaiting,
    {},
    { enabled: role !== null, refetchInterval: WAITING_MS },
  )
  const due = counts?.to_do
  const waiting: Readonly<Record<string, number | null | undefined>> = {
    ...Object.fromEntries(
      (counts?.waiting ?? []).map((one) => [addressOfDashboard(one.asset_type), one.pending]),
    ),
    [PUBLISH]: due?.posts,
    '/admin/reports': due?.reports,
    '/admin/replies': due?.replies?.waiting,
    '/admin/payments': due?.payments,
    '/admin/operations': due && (due.price_questions ?? 0) + (due.failed ?? 0),
  }
  useEscape(isOpen, () => setOpenedAt(null))
  return (
    <div className={css.frame}>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <Row as="header" gap={3} whole className={`${css.head} ruled-bottom taps`}>
        <IconButton
          className={css.menu}
          label={isOpen ? 'Close the menu' : 'Open the menu'}
          aria-expanded={isOpen}
          aria-controls="places"
          onClick={() => setOpenedAt(isOpen ? null : path)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} />
        </IconButton>
        <Text as="a" clip={1} strong className="unlined" href="/">
          Proof of Price
        </Text>
        <Note as="span" className="off-phones">
          Administration
        </Note>
        <span className="grow" />
        <Note as="span" clip={1} className="off-phones" title="Signed in">
          {username}
        </Note>
        <ThemeSwitch />
        <Button onClick={() => void leave(toasts.failed)}>Logout</Button>
      </Row>
      <Stack
        as="nav"
        gap={6}
        id="places"
        className={css.places}
        data-open={isOpen || undefined}
        aria-label="Screens"
      >
        {groups.map(({ title, screens }) => (
          <div key={title}>
            <Note className={css.title}>{title}</Note>
            {screens.map(({ to, name }) => (
              <Link
                key={to}
                to={to}
                className={`${css.place} unlined`}
                aria-current={path === to ? 'page' : undefined}
                onClick={() => setOpenedAt(null)}
              >
                {name}
                {waiting[to] ? (
                  <span className="pill small semibold" data-tone="wait">
                    {showCount(waiting[to])}
                    <span className="aside-voice"> waiting</span>
                  </span>
                ) : null}
              </Link>
            ))}
          </div>
        ))}
      </Stack>
      <main id="content" className={`${css.content} shrinks`} tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

async function leave(failed: (text: string) => void): Promise<void> {
  try {
    await call(logout)
  } catch (error) {
    const isOver = error instanceof CallError && error.status === 401
    if (!isOver) {
      failed('You are still signed in: the server cannot be reached. Please try again.')
      return
    }
  }
  forgetSignedIn()
}
