import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { ToastRoom } from '#web/ui/toasts.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ASSET_KEYS } from '#domain/asset.ts'
import { askBy } from '#web/api/admin-call.ts'
import { roleMay, type Right, type Role } from '#contracts/access.ts'
import { probe } from '#contracts/admins.ts'
import { call, CallError } from '#web/api/call.ts'
import { RoleContext } from '#web/api/role.ts'
import { SignInAgain } from './sign-in/sign-in-again.tsx'
import { addressOfDashboard } from './addresses.ts'
import { forgetSignedIn, rememberSignedIn, useHints } from './hints.ts'
import { rightOf } from './places.ts'
import { useWho } from './use-who.ts'
import { LoginPage } from './pages/login-page.tsx'
import { AdminShell } from './admin-shell.tsx'

const Dashboard = lazy(async () => ({
  default: (await import('./pages/dashboard-page.tsx')).DashboardPage,
}))

const Account = lazy(async () => ({
  default: (await import('./pages/account-page.tsx')).AccountPage,
}))

/** The screens by address; each is loaded when it is first opened. What each needs stands in `places.ts`. */
const SCREENS: Readonly<Record<string, ComponentType>> = {
  ...Object.fromEntries(ASSET_KEYS.map((asset) => [addressOfDashboard(asset), Dashboard])),
  '/admin/home': lazy(async () => ({
    default: (await import('./pages/home-page.tsx')).HomePage,
  })),
  '/admin/extractor': lazy(async () => ({
    default: (await import('./pages/extract-page.tsx')).ExtractPage,
  })),
  '/admin/queue': lazy(async () => ({
    default: (await import('./pages/queue-page.tsx')).QueuePage,
  })),
  '/admin/publish': lazy(async () => ({
    default: (await import('./pages/social-page.tsx')).SocialPage,
  })),
  '/admin/predictions': lazy(async () => ({
    default: (await import('./pages/predictions-page.tsx')).PredictionsPage,
  })),
  '/admin/experts': lazy(async () => ({
    default: (await import('./pages/experts-page.tsx')).ExpertsPage,
  })),
  '/admin/payments': lazy(async () => ({
    default: (await import('./pages/payments-page.tsx')).PaymentsPage,
  })),
  '/admin/operations': lazy(async () => ({
    default: (await import('./pages/operations-page.tsx')).OperationsPage,
  })),
  '/admin/audit': lazy(async () => ({
    default: (await import('./pages/audit-page.tsx')).AuditPage,
  })),
  '/admin/account': Account,
}

/** Lists change by others' hands, too: what is looked at again is asked for again. */
function newClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // Without a network a call fails and says so, instead of waiting without a word.
        networkMode: 'always',
        // A refusal stays one, however often it is asked; a server that is away may come back.
        retry: (count, error) =>
          count < 1 && !(error instanceof CallError && error.status >= 400 && error.status < 500),
        retryDelay: 1_000,
      },
      mutations: { networkMode: 'always' },
    },
  })
}

/** The administrators' pages. */
export function AdminApp() {
  const [client] = useState(newClient)
  return (
    <QueryClientProvider client={client}>
      <ToastRoom>
        <Switch>
          <Route path="/admin" component={Entrance} />
          <Route path="/admin/login" component={Entrance} />
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
  // The browser may hold a session that nothing here remembers: its storage was cleared, its cookies were not.
  const session = useQuery({
    queryKey: ['session'],
    queryFn: ({ signal }) => call(probe, { signal }),
    enabled: !wasSignedIn,
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  })
  const username = session.data?.username
  useEffect(() => {
    if (username === undefined) return
    rememberSignedIn(username)
    go(nextAddress() ?? START, { replace: true })
  }, [username, go])
  if (wasSignedIn) return <Redirect to={START} replace />
  if (session.isPending || username !== undefined) return null
  return (
    <LoginPage
      onSignedIn={(username) => {
        rememberSignedIn(username)
        go(nextAddress() ?? START, { replace: true })
      }}
    />
  )
}

/** Where signing in was asked for on the way to; only pages of this app are believed. */
function nextAddress(): string | null {
  const next = new URLSearchParams(window.location.search).get('next')
  return next !== null && /^\/admin\/[\w/?=&.%-]*$/.test(next) ? next : null
}

function Inside() {
  const { isSignedIn, username } = useHints()
  const [path] = useLocation()
  const again = useSignInAgain()
  const { role, mustSetUp } = useWho()
  if (!isSignedIn) {
    const here = path + window.location.search
    return <Redirect to={`/admin/login?next=${encodeURIComponent(here)}`} replace />
  }
  return (
    <AdminShell username={username} path={path} role={role} mustSetUp={mustSetUp}>
      <Suspense fallback={<Notice title="Loading…" />}>
        <Switch>
          {mustSetUp && (
            <Route>
              <Account />
            </Route>
          )}
          {Object.entries(SCREENS).map(([address, Screen]) => (
            <Route key={address} path={address}>
              <Allowed role={role} right={rightOf(address)}>
                <Screen />
              </Allowed>
            </Route>
          ))}
          <Route>
            <Notice title="Page not found" />
          </Route>
        </Switch>
      </Suspense>
      {again.isAsked && (
        <SignInAgain
          username={username}
          onSignedIn={(name) => {
            rememberSignedIn(name)
            again.answer(true)
          }}
          onGiveUp={() => {
            again.answer(false)
            forgetSignedIn()
          }}
        />
      )}
    </AdminShell>
  )
}

/** A screen for who may see it, and a plain sentence for who may not. */
function Allowed({
  role,
  right,
  children,
}: {
  readonly role: Role | null
  readonly right: Right
  readonly children: ReactNode
}) {
  if (role === null) return <Notice title="Loading…" />
  if (!roleMay(role, right)) {
    return (
      <Notice
        title="This page is for administrators"
        text="You are signed in as a reviewer: you can review submissions and extract predictions from posts."
      />
    )
  }
  return <RoleContext value={role}>{children}</RoleContext>
}

/** Calls of an ended session wait here until somebody has signed in again, with all that was typed. */
function useSignInAgain() {
  const [asked, setAsked] = useState<{ answer: (isSignedIn: boolean) => void } | null>(null)
  useEffect(() => {
    askBy(
      () =>
        new Promise<void>((done, fail) => {
          setAsked({
            answer: (isSignedIn) => {
              setAsked(null)
              if (isSignedIn) done()
              else fail(new CallError('Please sign in.', 401))
            },
          })
        }),
    )
  }, [])
  return { isAsked: asked !== null, answer: (isSignedIn: boolean) => asked?.answer(isSignedIn) }
}
