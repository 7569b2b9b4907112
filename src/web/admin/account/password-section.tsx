import { useState, type SubmitEvent } from 'react'
import { changePassword, SHORTEST_PASSWORD } from '#contracts/admins.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { Tick } from '#web/ui/tick.tsx'
import { Button } from '#web/ui/button.tsx'
import css from './account.module.css'
import { PasswordField } from './password-field.tsx'
import { useAccountCall } from './use-account-call.ts'
import { Stack } from '#web/ui/stack.tsx'
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
    <Stack as="section" align="start" ruled aria-labelledby="password-title">
      <Text as="h2" size="lead" id="password-title">
        Password
      </Text>
      {isFromEnvironment ? (
        <Text tone="quiet">
          It comes from ADMIN_PASSWORD_HASH in the environment and is changed there.
        </Text>
      ) : (
        <Stack
          as="form"
          className={css.form}
          onSubmit={(event: SubmitEvent) => {
            event.preventDefault()
            run({ current, next, keep_passkeys: keepPasskeys })
          }}
        >
          <PasswordField
            label="Current password"
            fault={faults['current']}
            value={current}
            onChange={setCurrent}
          />
          <PasswordField
            label="New password"
            isNew
            hint={`At least ${String(SHORTEST_PASSWORD)} characters. All other sessions and all tokens end with the old one.`}
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
        </Stack>
      )}
    </Stack>
  )
}
