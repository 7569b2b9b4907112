import { useState, type SubmitEvent } from 'react'
import { type z } from 'zod'
import { createToken, revokeToken, type me } from '#contracts/sign-in.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import table from '#web/ui/dense-table.module.css'
import { Field } from '#web/ui/field.tsx'
import { AccountTable } from './account-table.tsx'
import css from './account.module.css'
import { showMoment } from '#web/ui/show-moment.ts'
import { useAccountCall } from './use-account-call.ts'

type Tokens = z.infer<typeof me.reply>['tokens']

const LIVES = [
  { days: 30, name: '30 days' },
  { days: 90, name: '90 days' },
  { days: 365, name: 'A year' },
  { days: null, name: 'Until it is revoked' },
] as const

/** Tokens with which scripts make calls. */
export function TokenSection({ tokens }: { readonly tokens: Tokens }) {
  const [name, setName] = useState('')
  const [life, setLife] = useState(1)
  const [made, setMade] = useState<string | null>(null)
  const create = useAccountCall(
    (body: { name: string; days: number | null }) => adminCall(createToken, { body }),
    ({ token }) => {
      setMade(token)
      setName('')
    },
  )
  const revoke = useAccountCall((id: string) => adminCall(revokeToken, { params: { id } }))
  return (
    <section className={css.section} aria-labelledby="tokens-title">
      <h2 className={css.title} id="tokens-title">
        Tokens for scripts
      </h2>
      <p className={css.text}>
        A script sends one as <code>Authorization: Bearer …</code> and may do all that you may,
        except change your account.
      </p>
      {made !== null && (
        <div className={css.row} role="status">
          <p className={css.code}>{made}</p>
          <CopyButton text={made} label="Copy" done="Copied" />
          <p className={css.text}>It is shown only now.</p>
        </div>
      )}
      {tokens.length > 0 && (
        <AccountTable label="Tokens for scripts" heads={['Name', 'Made', 'Last used', 'Ends']}>
          {tokens.map((token) => (
            <tr key={token.id}>
              <th scope="row">{token.name}</th>
              <td>{showMoment(token.created_at)}</td>
              <td>{token.used_at === null ? 'Never' : showMoment(token.used_at)}</td>
              <td>{token.expires_at === null ? 'Never' : showMoment(token.expires_at)}</td>
              <td className={table.actions}>
                <Button disabled={revoke.isBusy} onClick={() => revoke.run(token.id)}>
                  Revoke
                </Button>
              </td>
            </tr>
          ))}
        </AccountTable>
      )}
      <form
        className={css.row}
        onSubmit={(event: SubmitEvent) => {
          event.preventDefault()
          create.run({ name, days: LIVES[life]?.days ?? null })
        }}
      >
        <Field label="Name" fault={create.faults['name']}>
          {(control) => (
            <input
              {...control}
              required
              maxLength={80}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field label="Valid for">
          {(control) => (
            <select
              {...control}
              value={life}
              onChange={(event) => setLife(Number(event.target.value))}
            >
              {LIVES.map(({ name: text }, n) => (
                <option key={text} value={n}>
                  {text}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Button type="submit" disabled={create.isBusy}>
          Create a token
        </Button>
      </form>
    </section>
  )
}
