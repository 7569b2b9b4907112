import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { choosePassword, openPasswordLink } from '#contracts/accounts.ts'
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '#contracts/admins.ts'
import { call, CallError } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Stack } from '#web/ui/stack.tsx'
import { Callout, Text } from '#web/ui/text.tsx'
import { useChange } from '#web/ui/use-change.ts'

/** Lets the owner of a link choose their password. */
export function PasswordLinkForm({
  token,
  onChosen,
}: {
  readonly token: string
  readonly onChosen: () => void
}) {
  const [password, setPassword] = useState('')
  const change = useChange()
  const opened = useQuery({
    queryKey: ['password-link', token],
    queryFn: ({ signal }) => call(openPasswordLink, { body: { token }, signal }),
    staleTime: Infinity,
    gcTime: 0,
  })
  if (opened.isPending) return <Text tone="quiet">Opening the link...</Text>
  if (opened.error) {
    return (
      <Stack gap={4} align="start">
        <Callout tone="bad" role="alert">
          {opened.error.message}
        </Callout>
        {(!(opened.error instanceof CallError) || opened.error.status !== 404) && (
          <Button onClick={() => void opened.refetch()}>Retry</Button>
        )}
      </Stack>
    )
  }
  const { fields = {}, message } = change.failed ?? {}
  const { username } = opened.data
  return (
    <Stack
      as="form"
      gap={4}
      noValidate
      onSubmit={(event: { preventDefault: () => void }) => {
        event.preventDefault()
        void change.run(async () => {
          await call(choosePassword, { body: { token, password } })
          onChosen()
        })
      }}
    >
      <Text>
        Welcome, <bdi>{username}</bdi>. Choose your password.
      </Text>
      {/* For the password manager of the browser. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <Field
        label="New password"
        hint={`At least ${String(SHORTEST_PASSWORD)} characters; four words that have nothing to do with each other are fine.`}
        fault={fields['password']}
      >
        {(control) => (
          <input
            {...control}
            name="password"
            type="password"
            autoComplete="new-password"
            maxLength={LONGEST_PASSWORD}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      {message !== undefined && fields['password'] === undefined && (
        <Callout tone="bad" role="alert">
          {message}
        </Callout>
      )}
      <Button look="primary" type="submit" disabled={change.isBusy}>
        {change.isBusy ? 'Saving...' : 'Set the password'}
      </Button>
    </Stack>
  )
}
