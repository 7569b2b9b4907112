import { useQuery } from '@tanstack/react-query'
import {
  choosePassword,
  openPasswordLink,
  LONGEST_PASSWORD,
  SHORTEST_PASSWORD,
} from '#contracts/accounts.ts'
import { AdminForm } from '#web/admin/kit/admin-form.tsx'
import { call, CallError } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Stack, Callout, Text } from '#web/ui/primitives.tsx'

export function PasswordLinkForm({
  token,
  onChosen,
}: {
  readonly token: string
  readonly onChosen: () => void
}) {
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
  const { username } = opened.data
  return (
    <Stack gap={4}>
      <Text>
        Welcome, <bdi>{username}</bdi>. Choose your password.
      </Text>
      {/* For password managers. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <AdminForm
        label="Choose a password"
        route={choosePassword}
        start={{ password: '' }}
        fields={{
          password: {
            label: 'New password',
            is: 'new-password',
            maxLength: LONGEST_PASSWORD,
            hint: `At least ${String(SHORTEST_PASSWORD)} characters; four words that have nothing to do with each other are fine.`,
          },
        }}
        body={({ password }) => ({ token, password })}
        send="Set the password"
        sending="Saving..."
        onDone={onChosen}
      />
    </Stack>
  )
}
