import { useState, type ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { logout, reviewWaiting } from '#contracts/accounts.ts'
import { roleMay, type Role } from '#contracts/access.ts'
import { showCount } from '#domain/price-text.ts'
import { call, CallError } from '#web/api/call.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { ThemeSwitch } from '#web/ui/theme-switch.tsx'
import { useToasts } from '#web/ui/toasts.tsx'
import { useEscape } from '#web/ui/hooks.ts'
import css from './admin-shell.module.css'
import { addressOfDashboard, PUBLISH } from './addresses.ts'
import { forgetSignedIn, useHints, useRole } from './hints.ts'
import { useCall } from '#web/admin/kit/list.tsx'
import { GROUPS } from './screens.ts'
import { Row, Stack, Note } from '#web/ui/primitives.tsx'

const WAITING_MS = 10_000

export function AdminShell({ children }: { readonly children: ReactNode }) {
  const { username } = useHints()
  // Until it is known, only screens open to every role are listed.
  const role = useRole()
  const [path] = useLocation()
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  const toasts = useToasts()
  const isOpen = openedAt === path
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
      <Row as="header" gap={3} whole className={`${css.head} ruled-bottom tall-links`}>
        <IconButton
          className={css.menu}
          label={isOpen ? 'Close the menu' : 'Open the menu'}
          aria-expanded={isOpen}
          aria-controls="places"
          onClick={() => setOpenedAt(isOpen ? null : path)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} />
        </IconButton>
        <a className="semibold nowrap unlined" href="/">
          Proof of Price
        </a>
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
        {groupsFor(role ?? 'reviewer').map(({ title, screens }) => (
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
                  <span className={`${css.count} small semibold`}>
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

function groupsFor(role: Role) {
  return GROUPS.map(({ title, screens }) => ({
    title,
    screens: screens.filter(({ right }) => roleMay(role, right)),
  })).filter(({ screens }) => screens.length > 0)
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
