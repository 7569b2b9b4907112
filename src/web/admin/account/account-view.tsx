import { useState } from 'react'
import { type z } from 'zod'
import * as calls from '#contracts/accounts.ts'
import { truncate } from '#domain/clean-text.ts'
import { forgetSignedIn, useHints } from '#web/admin/hints.ts'
import { AdminForm } from '#web/admin/kit/admin-form.tsx'
import { AdminTable, column } from '#web/admin/kit/admin-table.tsx'
import { Load } from '#web/admin/kit/list.tsx'
import { AdminPage, Confirm, Section } from '#web/admin/kit/screen.tsx'
import { Act, Refused, useDecision } from '#web/admin/kit/use-decision.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { CallError } from '#web/api/call.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { QrCode } from '#web/ui/invoice.tsx'
import { Row, Stack, Tiles, Callout, Text } from '#web/ui/primitives.tsx'
import { NO_PROOF, ProofDialog, proofFields } from './proof-dialog.tsx'

type Account = z.infer<typeof calls.me.reply>
type Props = { readonly account: Account }

/** At this many recovery codes or fewer, the page suggests making new ones. */
const FEW_CODES = 3

export function AccountView() {
  const { username, role } = useHints()
  return (
    <AdminPage
      title={`Account of ${username}`}
      aside={role && <Text tone="quiet">Role: {role}</Text>}
      width="narrow"
      gap={8}
    >
      <Load route={calls.me} what="account">
        {(account) => (
          <>
            <Password account={account} />
            <SecondFactor account={account} />
            <Passkeys account={account} />
            <Sessions account={account} />
            <Tokens account={account} />
          </>
        )}
      </Load>
    </AdminPage>
  )
}

function Password({ account }: Props) {
  return (
    <Section title="Password" ruled>
      {account.from_environment ? (
        <Text tone="quiet">
          It comes from ADMIN_PASSWORD_HASH in the environment and is changed there.
        </Text>
      ) : (
        <AdminForm
          label="Password"
          route={calls.changePassword}
          start={{ current: '', next: '', keep_passkeys: false }}
          fields={{
            current: { label: 'Current password', is: 'password' },
            next: {
              label: 'New password',
              is: 'new-password',
              hint: `At least ${String(calls.SHORTEST_PASSWORD)} characters. Changing it ends all other sessions and all tokens.`,
            },
            keep_passkeys: account.passkeys.length > 0 && {
              label: 'Keep my passkeys: they are on my own devices',
            },
          }}
          narrow
          send="Change the password"
        />
      )}
    </Section>
  )
}

function SecondFactor({ account: { second_factor: isOn, recovery_codes: codesLeft } }: Props) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  return (
    <Section title="Second factor" ruled>
      <Text tone="quiet">
        {isOn
          ? `On: signing in with the password also asks for a code from your authenticator app. Recovery codes left: ${String(codesLeft)}.`
          : 'Off. With it, signing in with the password also asks for a code from an authenticator app. All other sessions end when you turn it on; all tokens too, if you have no passkey yet.'}
      </Text>
      {isOn && codesLeft <= FEW_CODES && codes === null && (
        <Callout tone="wait">
          {codesLeft === 0 ? 'No recovery codes are left.' : 'Few recovery codes are left.'} Make
          new ones, or a lost authenticator keeps you out.
        </Callout>
      )}
      {codes && (
        <Stack align="start" role="status">
          <Text tone="quiet">
            Keep these recovery codes in a safe place. Each signs you in once if you lose your
            authenticator. They won&apos;t be shown again.
          </Text>
          <Tiles as="ul" gap={1} className="inset card" aria-label="Recovery codes">
            {codes.map((code) => (
              <li key={code}>
                <code>{code}</code>
              </li>
            ))}
          </Tiles>
          <CopyButton text={codes.join('\n')} label="Copy all" done="Copied" />
        </Stack>
      )}
      {isOn ? (
        <Row>
          <ProofDialog
            button="Turn it off"
            title="Turn off the second factor"
            asksCode
            route={calls.dropSecondFactor}
            send="Turn it off"
            onDone={() => setCodes(null)}
          >
            <Text tone="quiet">Your password alone then signs you in.</Text>
          </ProofDialog>
          <ProofDialog
            button="Make new recovery codes"
            title="Make new recovery codes"
            asksCode
            route={calls.renewRecoveryCodes}
            send="Make new codes"
            onDone={({ recovery_codes: made }) => setCodes(made)}
          >
            <Text tone="quiet">The codes you have now stop working.</Text>
          </ProofDialog>
        </Row>
      ) : (
        <SetUp onCodes={setCodes} />
      )}
    </Section>
  )
}

function SetUp({ onCodes }: { readonly onCodes: (codes: readonly string[] | null) => void }) {
  const [started, setStarted] = useState<{ secret: string; uri: string } | null>(null)
  if (!started) {
    return (
      <AdminForm
        label="Set up a second factor"
        route={calls.startSecondFactor}
        start={{ password: '' }}
        fields={{ password: { label: 'Your password', is: 'password' } }}
        narrow
        send="Set it up"
        sending="Checking..."
        onDone={(answer) => {
          onCodes(null)
          setStarted(answer)
        }}
      />
    )
  }
  return (
    <Stack>
      <div style={{ width: '12rem' }}>
        <QrCode text={started.uri} label="The secret for your authenticator app" />
      </div>
      <Text tone="quiet">Scan the code, or enter this key:</Text>
      <code className="inset block card">{started.secret}</code>
      <AdminForm
        label="Turn on the second factor"
        route={calls.confirmSecondFactor}
        start={{ code: '' }}
        fields={{ code: { label: 'Code', is: 'code', hint: 'Enter the code to turn it on.' } }}
        narrow
        send="Turn it on"
        sending="Checking..."
        onDone={({ recovery_codes: made }) => onCodes(made)}
        onCancel={() => setStarted(null)}
      />
    </Stack>
  )
}

function Passkeys({ account: { passkeys, second_factor: asksCode } }: Props) {
  const decision = useDecision()
  return (
    <Section title="Passkeys" ruled>
      <Text tone="quiet">
        A passkey signs you in with your device&apos;s screen lock. There is no password to steal.
      </Text>
      <AdminTable<Account['passkeys'][number]>
        label="Passkeys"
        rows={passkeys}
        idOf={({ id }) => id}
        columns={[
          column.title('Name', ({ name }) => name),
          column.moment('Added', ({ created_at: at }) => at),
          column.moment('Last used', ({ used_at: at }) => at, 'Never'),
          column.actions(({ id, name }) => (
            <ProofDialog
              button="Remove"
              title="Remove this passkey"
              asksCode={asksCode}
              route={calls.dropPasskey}
              params={{ id }}
              send="Remove"
            >
              <Text tone="quiet">
                <bdi>{name}</bdi> can then no longer sign you in.
              </Text>
            </ProofDialog>
          )),
        ]}
      />
      <Refused decision={decision} />
      <AdminForm
        label="Add a passkey"
        route={calls.newPasskeyOptions}
        start={{ name: '', ...NO_PROOF }}
        fields={{
          name: {
            label: 'Name',
            maxLength: 80,
            hint: 'A name to recognize it by, such as that of the device.',
          },
          ...proofFields(asksCode),
        }}
        check={({ name }) => ({ name: name.trim() === '' ? 'Please enter a name.' : null })}
        body={({ password, code }) => ({ password, code })}
        narrow
        send="Add a passkey"
        sending="Adding..."
        onDone={({ options }, { name }) =>
          void decision.run(async () => {
            const { startRegistration } = await import('@simplewebauthn/browser')
            const credential = await startRegistration({ optionsJSON: options }).catch(() => null)
            if (!credential) throw new CallError('The device did not create a passkey.', 400)
            return adminCall(calls.addPasskey, { body: { name, credential: { ...credential } } })
          })
        }
      />
    </Section>
  )
}

function Sessions({ account: { sessions } }: Props) {
  return (
    <Section title="Sessions" ruled>
      <AdminTable<Account['sessions'][number]>
        label="Sessions"
        rows={sessions}
        idOf={({ id }) => id}
        columns={[
          column.title('Browser', ({ agent }) => <span title={agent}>{agentText(agent)}</span>),
          column.text('Address', ({ address }) => address),
          column.short('By', ({ how }) => how),
          column.moment('Since', ({ created_at: at }) => at),
          column.moment('Last used', ({ seen_at: at }) => at),
          column.actions(({ id, current }) =>
            current ? (
              'This one'
            ) : (
              <Act send={() => adminCall(calls.endSession, { params: { id } })}>Sign out</Act>
            ),
          ),
        ]}
      />
      <Confirm
        title="Sign out everywhere"
        send={() => adminCall(calls.signOutEverywhere)}
        done={forgetSignedIn}
      >
        All your sessions end, this one included, and your tokens for scripts are revoked.
      </Confirm>
    </Section>
  )
}

/** Token lifetimes in days. */
const LIVES = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'A year'],
] as const

function Tokens({ account: { tokens, second_factor: asksCode } }: Props) {
  const [made, setMade] = useState<string | null>(null)
  return (
    <Section title="Tokens for scripts" ruled>
      <Text tone="quiet">
        A script sends one as <code>Authorization: Bearer …</code> and may do what your role may; it
        can never change an account.
      </Text>
      {made !== null && (
        <Row gap={3} align="end" role="status">
          <code className="inset block card">{made}</code>
          <CopyButton text={made} label="Copy" done="Copied" />
          <Text tone="quiet">Copy it now; it won&apos;t be shown again.</Text>
        </Row>
      )}
      <AdminTable<Account['tokens'][number]>
        label="Tokens for scripts"
        rows={tokens}
        idOf={({ id }) => id}
        columns={[
          column.title('Name', ({ name }) => name),
          column.moment('Made', ({ created_at: at }) => at),
          column.moment('Last used', ({ used_at: at }) => at, 'Never'),
          column.moment('Ends', ({ expires_at: at }) => at),
          column.actions(({ id }) => (
            <Act send={() => adminCall(calls.revokeToken, { params: { id } })}>Revoke</Act>
          )),
        ]}
      />
      <AdminForm
        label="Create a token"
        route={calls.createToken}
        start={{ name: '', days: '90', ...NO_PROOF }}
        fields={{
          name: { label: 'Name', maxLength: 80 },
          days: { label: 'Valid for', options: LIVES },
          ...proofFields(asksCode),
        }}
        body={({ days, ...rest }) => ({ ...rest, days: Number(days) })}
        narrow
        send="Create a token"
        onDone={({ token }) => setMade(token)}
      />
    </Section>
  )
}

/** The order matters: most browsers also claim to be an older one. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]
const LONGEST = 40

/** A readable name for a user agent: `Firefox on Windows`. Scripts are shown by their own user agent. */
export function agentText(agent: string): string {
  if (agent.trim() === '') return 'Unknown'
  const named = (names: readonly (readonly [RegExp, string])[]): string | null =>
    names.find(([pattern]) => pattern.test(agent))?.[1] ?? null
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)]
  if (browser !== null) return system === null ? browser : `${browser} on ${system}`
  return truncate(agent, LONGEST)
}
