import { useState } from 'react'
import { dropPasskey } from '#contracts/admins.ts'
import { AccountForm } from './account-form.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogClose } from '#web/ui/dialog.tsx'
import { CodeField } from './code-field.tsx'
import { PasswordField } from './password-field.tsx'
import { useAccountCall } from './use-account-call.ts'
import { Row } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

/** Asks for the password, and the code where there is one, before a passkey is removed. */
export function PasskeyRemoval({
  id,
  name,
  asksCode,
  onClose,
}: {
  readonly id: string
  readonly name: string
  readonly asksCode: boolean
  readonly onClose: () => void
}) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const drop = useAccountCall(
    (body: { password: string; code?: string }) => adminCall(dropPasskey, { params: { id }, body }),
    onClose,
  )
  return (
    <Dialog title="Remove this passkey" onClose={onClose}>
      <AccountForm onSubmit={() => drop.run({ password, ...(asksCode ? { code } : {}) })}>
        <Text tone="quiet">
          <bdi>{name}</bdi> can then no longer sign you in.
        </Text>
        <PasswordField fault={drop.faults['password']} value={password} onChange={setPassword} />
        {asksCode && <CodeField fault={drop.faults['code']} value={code} onChange={setCode} />}
        <Row gap={3} align="end">
          <Button look="primary" type="submit" disabled={drop.isBusy}>
            Remove
          </Button>
          <DialogClose render={<Button />}>Cancel</DialogClose>
        </Row>
      </AccountForm>
    </Dialog>
  )
}
