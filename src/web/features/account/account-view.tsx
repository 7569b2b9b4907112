import { useQuery } from '@tanstack/react-query'
import { me } from '#contracts/sign-in.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import css from './account.module.css'
import { PasskeySection } from './passkey-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { SecondFactorSection } from './second-factor-section.tsx'
import { SessionSection } from './session-section.tsx'
import { TokenSection } from './token-section.tsx'

export const ACCOUNT_KEY = ['account']

/** The own account: how it is secured, where it is signed in, and the tokens of its scripts. */
export function AccountView() {
  const query = useQuery({
    queryKey: ACCOUNT_KEY,
    queryFn: ({ signal }) => adminCall(me, { signal }),
  })
  return (
    <div className={css.page}>
      <Loaded
        query={query}
        loading="Loading the account..."
        failed="The account could not be loaded."
      >
        {(account) => (
          <>
            <h1 className={css.head}>Account of {account.username}</h1>
            <PasswordSection isFromEnvironment={account.from_environment} />
            <SecondFactorSection isOn={account.second_factor} />
            <PasskeySection passkeys={account.passkeys} />
            <SessionSection sessions={account.sessions} />
            <TokenSection tokens={account.tokens} />
          </>
        )}
      </Loaded>
    </div>
  )
}
