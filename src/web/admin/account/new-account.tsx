import { useState } from 'react'
import { createAccount, type PasswordLink } from '#contracts/accounts.ts'
import { LONGEST_USERNAME } from '#contracts/admins.ts'
import { type Role } from '#contracts/access.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { Button } from '#web/ui/button.tsx'
import { Choice } from '#web/ui/choice.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { AccountForm } from './account-form.tsx'
import { NO_PROOF, ProofFields, proofOf, type Proof } from './proof-fields.tsx'
import { useAccountCall } from './use-account-call.ts'

const ROLE_OPTIONS = [
  ['reviewer', 'Reviewer: reviews submissions'],
  ['administrator', 'Administrator: everything'],
] as const

/** Makes an account; its owner chooses the password by a link. */
export function NewAccount({
  asksCode,
  onLink,
}: {
  readonly asksCode: boolean
  readonly onLink: (username: string, link: PasswordLink) => void
}) {
  const [username, setUsername] = useState('')
  const [role, setRole] = useState<Role>('reviewer')
  const [proof, setProof] = useState(NO_PROOF)
  const create = useAccountCall(
    (body: { username: string; role: Role } & Proof) => adminCall(createAccount, { body }),
    ({ link }) => {
      onLink(username.trim(), link)
      setUsername('')
      setProof(NO_PROOF)
    },
  )
  return (
    <AccountForm onSubmit={() => create.run({ username, role, ...proofOf(proof, asksCode) })}>
      <TextField
        label="User name"
        name="new_username"
        hint="You get a link, by which they choose their own password."
        fault={create.faults['username']}
        required
        maxLength={LONGEST_USERNAME}
        value={username}
        onChange={setUsername}
      />
      <Choice label="Role" name="role" value={role} options={ROLE_OPTIONS} onChange={setRole} />
      <ProofFields asksCode={asksCode} faults={create.faults} value={proof} onChange={setProof} />
      <Button look="primary" type="submit" disabled={create.isBusy}>
        Make the account
      </Button>
    </AccountForm>
  )
}
