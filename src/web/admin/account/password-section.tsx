import { useState } from 'react'
import { changePassword, SHORTEST_PASSWORD } from '#contracts/admins.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { Tick } from '#web/ui/tick.tsx'
import { Section } from '#web/admin/section.tsx'
import { AccountForm } from './account-form.tsx'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from './password-field.tsx'
import { useAccountCall } from './use-account-call.ts'
import { Text } from '#web/ui/text.tsx'

export function PasswordSection({
  isFromEnvironment,
  hasPasskeys,
}: {
  readonly isFromEnvironment: boolean
  readonly hasPasskeys: boolean
}) {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [keepPasskeys, setKeepPasskeys] = useState(false)
  const { run, isBusy, faults } = useAccountCall(
    (body: { current: string; next: string; keep_passkeys: boolean }) =>
      adminCall(changePassword, { body }),
    () => {
      setCurrent('')
      setNext('')
    },
  )
  return (
    <Section title="Password" ruled>
      {isFromEnvironment ? (
        <Text tone="quiet">
          It comes from ADMIN_PASSWORD_HASH in the environment and is changed there.
        </Text>
      ) : (
        <AccountForm onSubmit={() => run({ current, next, keep_passkeys: keepPasskeys })}>
          <PasswordField
            label="Current password"
            fault={faults['current']}
            value={current}
            onChange={setCurrent}
          />
          <PasswordField
            label="New password"
            isNew
            hint={`At least ${String(SHORTEST_PASSWORD)} characters. Changing it ends all other sessions and all tokens.`}
            fault={faults['next']}
            value={next}
            onChange={setNext}
          />
          {hasPasskeys && (
            <Tick
              label="Keep my passkeys: they are on my own devices"
              checked={keepPasskeys}
              onChange={setKeepPasskeys}
            />
          )}
          <Button type="submit" disabled={isBusy}>
            Change the password
          </Button>
        </AccountForm>
      )}
    </Section>
  )
}
