import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import {
  endAccountSessions,
  listAccounts,
  type Account,
  type PasswordLink,
} from '#contracts/accounts.ts'
import { me } from '#contracts/admins.ts'
import { showNumberOf } from '#domain/day.ts'
import { AdminPage } from '#web/admin/admin-page.tsx'
import { Section } from '#web/admin/section.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { Button } from '#web/ui/button.tsx'
import table from '#web/ui/dense-table.module.css'
import { DenseTable } from '#web/ui/dense-table.tsx'
import { useLayout } from '#web/ui/layout.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { momentOr } from '#web/ui/show-moment.ts'
import { Text } from '#web/ui/text.tsx'
import { AccountChange, type Change } from './account-change.tsx'
import { stateOf } from './account-state.ts'
import { LinkNote } from './link-note.tsx'
import { NewAccount } from './new-account.tsx'
import { useAccountCall } from './use-account-call.ts'

/** A link as it was made: it is shown until another one is made or the page is left. */
type Made = { readonly username: string; readonly link: PasswordLink }

/** Who may sign in: administrators make accounts here, and change those of others. */
export function AccountsView() {
  const query = useQuery({
    queryKey: ['account', 'all'],
    queryFn: async ({ signal }) => {
      const [all, own] = await Promise.all([
        adminCall(listAccounts, { signal }),
        adminCall(me, { signal }),
      ])
      return { ...all, asksCode: own.second_factor }
    },
  })
  const [made, setMade] = useState<Made | null>(null)
  const [change, setChange] = useState<{ account: Account; change: Change } | null>(null)
  const onLink = (username: string, link: PasswordLink): void => setMade({ username, link })
  return (
    <AdminPage title="Accounts" gap={8}>
      <Loaded
        query={query}
        loading="Loading the accounts..."
        failed="The accounts could not be loaded."
      >
        {({ accounts, now, asksCode }) => (
          <>
            {made !== null && <LinkNote {...made} />}
            <Accounts
              accounts={accounts}
              now={now}
              onChange={(account, change) => setChange({ account, change })}
            />
            <Section title="New account" ruled>
              <NewAccount asksCode={asksCode} onLink={onLink} />
            </Section>
            {change !== null && (
              <AccountChange
                {...change}
                asksCode={asksCode}
                onLink={onLink}
                onClose={() => setChange(null)}
              />
            )}
          </>
        )}
      </Loaded>
    </AdminPage>
  )
}

function Accounts({
  accounts,
  now,
  onChange,
}: {
  readonly accounts: readonly Account[]
  readonly now: string
  readonly onChange: (account: Account, change: Change) => void
}) {
  return (
    <DenseTable
      label="Accounts"
      columns={['Name', 'Role', 'Secured by', 'State', 'Open', 'Last here', { unseen: 'Actions' }]}
      isStacked={useLayout() !== 'desktop'}
    >
      {accounts.map((account) => (
        <tr key={account.id}>
          <th scope="row">
            <bdi>{account.username}</bdi>
            {account.own && (
              <Text as="span" tone="quiet">
                {' '}
                (you)
              </Text>
            )}
          </th>
          <td className={table.nowrap}>{account.role}</td>
          <td className={table.nowrap}>
            {account.second_factor ? 'second factor' : 'password only'}
          </td>
          <td>
            <State account={account} now={now} />
          </td>
          <td className={table.nowrap}>{sessionsText(account)}</td>
          <td className={table.nowrap}>{momentOr('never here', account.seen_at)}</td>
          <td className={table.nowrap}>
            {!account.own && <Actions account={account} onChange={onChange} />}
          </td>
        </tr>
      ))}
    </DenseTable>
  )
}

/** What is open: browsers that are signed in, and tokens of scripts. */
function sessionsText({ sessions, tokens }: Account): string {
  const parts = [
    ...(sessions > 0 ? [showNumberOf(sessions, 'browser')] : []),
    ...(tokens > 0 ? [showNumberOf(tokens, 'token')] : []),
  ]
  return parts.length === 0 ? 'not signed in' : parts.join(', ')
}

function State({ account, now }: { readonly account: Account; readonly now: string }) {
  const { tone, text } = stateOf(account, now)
  return (
    <Text as="span" tone={tone}>
      {text}
    </Text>
  )
}

function Actions({
  account,
  onChange,
}: {
  readonly account: Account
  readonly onChange: (account: Account, change: Change) => void
}) {
  const { id, username, role, disabled_at: disabledAt, from_environment: isFixed } = account
  const end = useAccountCall(() => adminCall(endAccountSessions, { params: { id } }))
  const button = (change: Change, text: string) => (
    <Button
      look="quiet"
      aria-label={`${text}: ${username}`}
      onClick={() => onChange(account, change)}
    >
      {text}
    </Button>
  )
  return (
    <div className={table.actions}>
      {account.sessions > 0 && (
        <Button
          look="quiet"
          aria-label={`Sign out: ${username}`}
          disabled={end.isBusy}
          onClick={() => end.run(undefined)}
        >
          Sign out
        </Button>
      )}
      {disabledAt === null && !isFixed && button('link', 'New password')}
      {button('role', role === 'administrator' ? 'Make reviewer' : 'Make administrator')}
      {disabledAt === null ? button('disable', 'Disable') : button('enable', 'Enable')}
    </div>
  )
}
