import { useQuery } from '@tanstack/react-query'
import {
  choosePassword,
  openPasswordLink,
  LONGEST_PASSWORD,
  SHORTEST_PASSWORD,
} from '#contracts/accounts.ts'
import { AdminForm } from '#web/admin/kit/admin-form.tsx'
import { call } from '#web/api/call.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { Stack, Text } from '#web/ui/primitives.tsx'

export function PasswordLinkForm({
  token,
  onChosen,
}: {
  readonly token: string
  readonly onChosen: () => void
}) {
  const query = useQuery({
    queryKey: ['password-link', token],
    queryFn: ({ signal }) => call(openPasswordLink, { body: { token }, signal }),
    staleTime: Infinity,
    gcTime: 0,
  })
  return (
    <Loaded query={query} loading="Opening the link..." failed="The link could not be opened.">
      {({ username }) => (
        <Stack gap={4}>
          <Text>
            Welcome, <bdi>{username}</bdi>. Choose your password.
          </Text>
          {/* For password managers. */}
          <input name="username" autoComplete="username" value={username} readOnly hidden />
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
            onDone={onChosen}
          />
        </Stack>
      )}
    </Loaded>
  )
}
