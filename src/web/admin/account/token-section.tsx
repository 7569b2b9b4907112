import { useState, type SubmitEvent } from 'react'
import { type z } from 'zod'
import { scopesOf, type Role, type Scope } from '#contracts/access.ts'
import { createToken, revokeToken, type me } from '#contracts/admins.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { Section } from '#web/admin/section.tsx'
import { Button } from '#web/ui/button.tsx'
import { Choice } from '#web/ui/choice.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import table from '#web/ui/dense-table.module.css'
import { Tick } from '#web/ui/tick.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { AccountTable } from './account-table.tsx'
import { CodeField } from './code-field.tsx'
import { PasswordField } from './password-field.tsx'
import css from './account.module.css'
import { momentOr, showMoment } from '#web/ui/show-moment.ts'
import { useAccountCall } from './use-account-call.ts'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

type Tokens = z.infer<typeof me.reply>['tokens']

/** How many days a token lives. */
const LIVES = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'A year'],
] as const
type Life = (typeof LIVES)[number][0]

const SCOPE_TEXTS: Readonly<Record<Scope, string>> = {
  read: 'Read: lists, payments, the audit log, metrics',
  review: 'Review: extract, edit, approve, reject',
  publish: 'Publish: post on X, Nostr and Bluesky, correct what is published',
  operate: 'Operate: settings, prices, payments',
}
const READ_TEXT_OF_REVIEWER = 'Read: submissions, the queue, what is published'

/** Tokens with which scripts make calls. */
export function TokenSection({
  tokens,
  role,
  asksCode,
}: {
  readonly tokens: Tokens
  readonly role: Role
  /** An authenticator app is set up; its code is asked for before a token is made. */
  readonly asksCode: boolean
}) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [name, setName] = useState('')
  const [life, setLife] = useState<Life>('90')
  const [scopes, setScopes] = useState<readonly Scope[]>(['read'])
  const [made, setMade] = useState<string | null>(null)
  const create = useAccountCall(
    (body: z.input<NonNullable<typeof createToken.body>>) => adminCall(createToken, { body }),
    ({ token }) => {
      setMade(token)
      setName('')
      setPassword('')
      setCode('')
    },
  )
  const revoke = useAccountCall((id: string) => adminCall(revokeToken, { params: { id } }))
  return (
    <Section title="Tokens for scripts" ruled>
      <Text tone="quiet">
        A script sends one as <code>Authorization: Bearer …</code> and may do what it was made for;
        it can never change your account.
      </Text>
      {made !== null && (
        <Row gap={3} align="end" role="status">
          <p className={css.code}>{made}</p>
          <CopyButton text={made} label="Copy" done="Copied" />
          <Text tone="quiet">Copy it now; it won&apos;t be shown again.</Text>
        </Row>
      )}
      {tokens.length > 0 && (
        <AccountTable
          label="Tokens for scripts"
          heads={['Name', 'For', 'Made', 'Last used', 'Ends']}
        >
          {tokens.map((token) => (
            <tr key={token.id}>
              <th scope="row">{token.name}</th>
              <td>{token.scopes.join(', ')}</td>
              <td>{showMoment(token.created_at)}</td>
              <td>{momentOr('Never', token.used_at)}</td>
              <td>{showMoment(token.expires_at)}</td>
              <td className={table.actions}>
                <Button disabled={revoke.isBusy} onClick={() => revoke.run(token.id)}>
                  Revoke
                </Button>
              </td>
            </tr>
          ))}
        </AccountTable>
      )}
      <Row
        as="form"
        gap={3}
        align="end"

        onSubmit={(event: SubmitEvent) => {
          event.preventDefault()
          const proof = { password, ...(asksCode ? { code } : {}) }
          create.run({ name, days: Number(life), scopes: [...scopes], ...proof })
        }}
      >
        <TextField
          label="Name"
          name="token_name"
          fault={create.faults['name']}
          required
          maxLength={80}
          value={name}
          onChange={setName}
        />
        <Choice label="Valid for" name="life" value={life} options={LIVES} onChange={setLife} />
        <Stack as="fieldset" gap={2} className={css.scopes}>
          <legend>What it is for</legend>
          {scopesOf(role).map((scope) => (
            <Tick
              key={scope}
              label={
                scope === 'read' && role === 'reviewer' ? READ_TEXT_OF_REVIEWER : SCOPE_TEXTS[scope]
              }
              checked={scopes.includes(scope)}
              onChange={(isOn) =>
                setScopes(isOn ? [...scopes, scope] : scopes.filter((one) => one !== scope))
              }
            />
          ))}
        </Stack>
        <PasswordField fault={create.faults['password']} value={password} onChange={setPassword} />
        {asksCode && <CodeField fault={create.faults['code']} value={code} onChange={setCode} />}
        <Button type="submit" disabled={create.isBusy || scopes.length === 0}>
          Create a token
        </Button>
      </Row>
    </Section>
  )
}
