import { useState } from 'react'
import { type Role } from '#contracts/access.ts'
import * as calls from '#contracts/accounts.ts'
import { type Account } from '#contracts/accounts.ts'
import { plural } from '#domain/day.ts'
import { AdminForm } from '#web/admin/kit/admin-form.tsx'
import { AdminTable, column } from '#web/admin/kit/admin-table.tsx'
import { Load, useCall } from '#web/admin/kit/list.tsx'
import { AdminPage, Section } from '#web/admin/kit/screen.tsx'
import { Act } from '#web/admin/kit/use-decision.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Panel, Row, Text, Note } from '#web/ui/primitives.tsx'
import { showMoment } from '#web/ui/show.ts'
import { NO_PROOF, ProofDialog, proofFields } from './proof-dialog.tsx'

/** Shown until another link is made or the user leaves the page. */
type Made = { readonly username: string; readonly link: calls.PasswordLink }

const ROLE_OPTIONS = [
  ['reviewer', 'Reviewer: reviews submissions'],
  ['administrator', 'Administrator: everything'],
] as const

export function AccountsView() {
  const own = useCall(calls.me)
  const asksCode = own.data?.second_factor ?? false
  const [made, setMade] = useState<Made | null>(null)
  return (
    <AdminPage gap={8}>
      <Load route={calls.listAccounts} what="accounts">
        {({ accounts, now }) => (
          <>
            {made !== null && <LinkNote {...made} />}
            <AdminTable<Account>
              label="Accounts"
              rows={accounts}
              idOf={({ id }) => String(id)}
              columns={[
                column.title('Name', ({ username, own: isOwn }) => (
                  <>
                    <bdi>{username}</bdi>
                    {isOwn && ' (you)'}
                  </>
                )),
                column.short('Role', ({ role }) => role),
                column.text('Secured by', (row) =>
                  row.second_factor ? 'second factor' : 'password only',
                ),
                column.text('State', (row) => stateOf(row, now)),
                column.short('Open', sessionsText),
                column.moment('Last here', ({ seen_at: at }) => at, 'never here'),
                column.actions(
                  (row) =>
                    !row.own && (
                      <Actions
                        account={row}
                        asksCode={asksCode}
                        onLink={(link) => setMade({ username: row.username, link })}
                      />
                    ),
                ),
              ]}
            />
            <Section title="New account" ruled>
              <AdminForm
                label="New account"
                route={calls.createAccount}
                start={{ username: '', role: 'reviewer' as Role, ...NO_PROOF }}
                fields={{
                  username: {
                    label: 'Username',
                    maxLength: calls.LONGEST_USERNAME,
                    hint: 'You get a link for them to set their own password.',
                  },
                  role: { label: 'Role', options: ROLE_OPTIONS },
                  ...proofFields(asksCode),
                }}
                narrow
                send="Make the account"
                onDone={({ link }, { username }) => setMade({ username: username.trim(), link })}
              />
            </Section>
          </>
        )}
      </Load>
    </AdminPage>
  )
}

function sessionsText({ sessions, tokens }: Account): string {
  const parts = [sessions > 0 && plural(sessions, 'browser'), tokens > 0 && plural(tokens, 'token')]
  return parts.filter(Boolean).join(', ') || 'not signed in'
}

/** @param now server time, ISO */
function stateOf({ disabled_at: disabledAt, link_expires_at: until }: Account, now: string) {
  const [tone, text] =
    disabledAt !== null
      ? (['quiet', `disabled on ${showMoment(disabledAt)}`] as const)
      : until === null
        ? (['good', 'can sign in'] as const)
        : Date.parse(until) > Date.parse(now)
          ? (['wait', `has to choose a password by ${showMoment(until)}`] as const)
          : (['bad', 'the link for a password has expired'] as const)
  return (
    <Text as="span" tone={tone}>
      {text}
    </Text>
  )
}

/** What each change does, and the texts of its button and dialog. */
const CHANGES = {
  link: {
    button: 'New password',
    title: 'New password',
    send: 'Make the link',
    text: 'You get a link for them to set a new password. Until then they cannot sign in: the old password, all sessions, tokens and passkeys end now.',
  },
  role: {
    button: 'Make',
    title: 'Change the role',
    send: 'Change the role',
    text: 'Takes effect at their next click, and for their tokens.',
  },
  disable: {
    button: 'Disable',
    title: 'Disable the account',
    send: 'Disable',
    text: 'They cannot sign in any more; all sessions, tokens and passkeys end. What they did stays on record, and you can enable the account again.',
  },
  enable: {
    button: 'Enable',
    title: 'Enable the account',
    send: 'Enable',
    text: 'They can sign in again with the password they had.',
  },
} as const

function Actions({
  account: { id, username, role, sessions, second_factor: hasFactor, ...account },
  asksCode,
  onLink,
}: {
  readonly account: Account
  readonly asksCode: boolean
  readonly onLink: (link: calls.PasswordLink) => void
}) {
  const isDisabled = account.disabled_at !== null
  const other: Role = role === 'administrator' ? 'reviewer' : 'administrator'
  const about = (change: keyof typeof CHANGES, more = '') => ({
    ...CHANGES[change],
    asksCode,
    about: username,
    params: { id },
    children: (
      <>
        <Text>
          <b>
            <bdi>{username}</bdi>
          </b>
          {more}
        </Text>
        <Text tone="quiet">{CHANGES[change].text}</Text>
      </>
    ),
  })
  return (
    <>
      {sessions > 0 && (
        <Act
          aria-label={`Sign out: ${username}`}
          id={id}
          send={() => adminCall(calls.endAccountSessions, { params: { id } })}
        >
          Sign out
        </Act>
      )}
      {!isDisabled && !account.from_environment && (
        <ProofDialog
          {...about('link')}
          route={calls.makePasswordLink}
          tick={hasFactor ? 'Remove the authenticator app as well: it is lost' : undefined}
          body={(proof, drops) => ({ ...proof, drop_second_factor: drops })}
          onDone={({ link }) => onLink(link)}
        />
      )}
      <ProofDialog
        {...about('role', `: ${role} → ${other}`)}
        button={`Make ${other}`}
        route={calls.changeRole}
        body={(proof) => ({ ...proof, role: other })}
      />
      <ProofDialog
        {...about(isDisabled ? 'enable' : 'disable')}
        route={isDisabled ? calls.enableAccount : calls.disableAccount}
      />
    </>
  )
}

function LinkNote({ username, link }: Made) {
  const address = `${window.location.origin}${link.path}`
  return (
    <Panel tone="wait" role="status">
      <Text strong>
        Send this link to <bdi>{username}</bdi>
      </Text>
      <code className="inset block card">{address}</code>
      <Row gap={3}>
        <CopyButton text={address} label="Copy the link" done="Copied" />
        <Note>
          It opens once, until {showMoment(link.expires_at)}, and won&apos;t be shown again.
        </Note>
      </Row>
    </Panel>
  )
}
