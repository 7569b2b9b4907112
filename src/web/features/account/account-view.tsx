import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { me } from '#contracts/sign-in.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { sentenceOf } from '#web/api/call.ts'
import { Notice } from '#web/ui/notice.tsx'
import css from './account.module.css'
import { PasskeySection } from './passkey-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { SecondFactorSection } from './second-factor-section.tsx'
import { SessionSection } from './session-section.tsx'
import { TokenSection } from './token-section.tsx'

export const ACCOUNT_KEY = ['account']

/** The own account: how it is secured, where it is signed in, and the tokens of its scripts. */
export function AccountView() {
  const { data, error, refetch } = useQuery({
    queryKey: ACCOUNT_KEY,
    queryFn: ({ signal }) => adminCall(me, { signal }),
  })
  useEffect(() => {
    document.title = 'Account – Proof of Price'
  }, [])
  if (!data && error) {
    return (
      <Notice
        alert
        title="The account could not be loaded"
        text={sentenceOf(error)}
        onRetry={() => void refetch()}
      />
    )
  }
  if (!data) return <Notice title="Loading the account…" />
  return (
    <div className={css.page}>
      <h1 className={css.head}>Account of {data.username}</h1>
      <PasswordSection isFromEnvironment={data.from_environment} />
      <SecondFactorSection isOn={data.second_factor} />
      <PasskeySection passkeys={data.passkeys} />
      <SessionSection sessions={data.sessions} />
      <TokenSection tokens={data.tokens} />
    </div>
  )
}
