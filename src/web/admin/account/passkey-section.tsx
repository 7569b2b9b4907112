import { useState } from 'react'
import { type z } from 'zod'
import { addPasskey, newPasskeyOptions, type me } from '#contracts/admins.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { CallError } from '#web/api/call.ts'
import { Section } from '#web/admin/section.tsx'
import { AccountForm } from './account-form.tsx'
import { Button } from '#web/ui/button.tsx'
import table from '#web/ui/dense-table.module.css'
import { TextField } from '#web/ui/text-field.tsx'
import { AccountTable } from './account-table.tsx'
import { momentOr, showMoment } from '#web/ui/show-moment.ts'
import { CodeField } from './code-field.tsx'
import { PasskeyRemoval } from './passkey-removal.tsx'
import { PasswordField } from './password-field.tsx'
import { useAccountCall } from './use-account-call.ts'
import { Text } from '#web/ui/text.tsx'

type Passkeys = z.infer<typeof me.reply>['passkeys']

/** Passkeys: a device signs in by its own lock. */
export function PasskeySection({
  passkeys,
  asksCode,
}: {
  readonly passkeys: Passkeys
  /** An authenticator app is set up; its code is asked for before a passkey is added or removed. */
  readonly asksCode: boolean
}) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const add = useAccountCall(createPasskey, () => {
    setName('')
    setPassword('')
    setCode('')
  })
  const [leaving, setLeaving] = useState<Passkeys[number] | null>(null)
  return (
    <Section title="Passkeys" ruled>
      <Text tone="quiet">
        A passkey signs you in with the lock of your device. There is no password to steal.
      </Text>
      {passkeys.length > 0 && (
        <AccountTable label="Passkeys" heads={['Name', 'Added', 'Last used']}>
          {passkeys.map((passkey) => (
            <tr key={passkey.id}>
              <th scope="row">{passkey.name}</th>
              <td>{showMoment(passkey.created_at)}</td>
              <td>{momentOr('Never', passkey.used_at)}</td>
              <td className={table.actions}>
                <Button onClick={() => setLeaving(passkey)}>Remove</Button>
              </td>
            </tr>
          ))}
        </AccountTable>
      )}
      {leaving && (
        <PasskeyRemoval
          id={leaving.id}
          name={leaving.name}
          asksCode={asksCode}
          onClose={() => setLeaving(null)}
        />
      )}
      <AccountForm onSubmit={() => add.run({ name, password, ...(asksCode ? { code } : {}) })}>
        <TextField
          label="Name"
          name="passkey_name"
          hint="So that you recognise it, such as the name of the device."
          required
          maxLength={80}
          value={name}
          onChange={setName}
        />
        <PasswordField fault={add.faults['password']} value={password} onChange={setPassword} />
        {asksCode && <CodeField fault={add.faults['code']} value={code} onChange={setCode} />}
        <Button type="submit" disabled={add.isBusy}>
          Add a passkey
        </Button>
      </AccountForm>
    </Section>
  )
}

async function createPasskey({
  name,
  ...proof
}: {
  name: string
  password: string
  code?: string
}) {
  const { options } = await adminCall(newPasskeyOptions, { body: proof })
  const { startRegistration } = await import('@simplewebauthn/browser')
  const credential = await startRegistration({ optionsJSON: options }).catch(() => null)
  if (!credential) throw new CallError('The device did not create a passkey.', 400)
  return adminCall(addPasskey, { body: { name, credential: { ...credential } } })
}
