import { type z } from 'zod'
import { useQuery } from '@tanstack/react-query'
import { me } from '#contracts/admins.ts'
import { AdminPage } from '#web/admin/admin-page.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PasskeySection } from './passkey-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { SecondFactorSection } from './second-factor-section.tsx'
import { SessionSection } from './session-section.tsx'
import { TokenSection } from './token-section.tsx'
import { Text } from '#web/ui/text.tsx'

const ACCOUNT_KEY = ['account']

/** The administrator's account: how it is secured, where it is signed in, and the tokens of its scripts. */
export function AccountView() {
  const query = useQuery({
    queryKey: ACCOUNT_KEY,
    queryFn: ({ signal }) => adminCall(me, { signal }),
  })
  return (
    <Loaded
      query={query}
      loading="Loading the account..."
      failed="The account could not be loaded."
    >
      {(account) => (
        <AdminPage
          title={`Account of ${account.username}`}
          aside={<Text tone="quiet">Role: {account.role}</Text>}
          width="narrow"
          gap={8}
        >
          {/* What has to be done first comes first. */}
          {lacksFactor(account) ? (
            <>
              <Notice
                title="Please set up a second factor"
                text="This site requires one: an authenticator app or a passkey. Everything else opens once you have it."
              />
              <Factors account={account} />
              <Password account={account} />
            </>
          ) : (
            <>
              <Password account={account} />
              <Factors account={account} />
            </>
          )}
          <SessionSection sessions={account.sessions} />
          <TokenSection
            tokens={account.tokens}
            role={account.role}
            asksCode={account.second_factor}
          />
        </AdminPage>
      )}
    </Loaded>
  )
}

type Account = z.infer<typeof me.reply>

function Password({ account }: { readonly account: Account }) {
  return (
    <PasswordSection
      isFromEnvironment={account.from_environment}
      hasPasskeys={account.passkeys.length > 0}
    />
  )
}

function Factors({ account }: { readonly account: Account }) {
  return (
    <>
      <SecondFactorSection isOn={account.second_factor} codesLeft={account.recovery_codes} />
      <PasskeySection passkeys={account.passkeys} asksCode={account.second_factor} />
    </>
  )
}

function lacksFactor(account: Account): boolean {
  return account.second_factor_required && !account.second_factor && account.passkeys.length === 0
}
