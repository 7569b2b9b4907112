import { useState, type SubmitEvent } from 'react'
import { confirmSecondFactor, dropSecondFactor, startSecondFactor } from '#contracts/sign-in.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import css from './account.module.css'
import { PasswordField } from './password-field.tsx'
import { useAccountCall } from './use-account-call.ts'

/** Codes of an authenticator app (TOTP). */
export function SecondFactorSection({ isOn }: { readonly isOn: boolean }) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [started, setStarted] = useState<{ secret: string; uri: string } | null>(null)
  const start = useAccountCall(
    async (body: { password: string }) => {
      const { secret, uri } = await adminCall(startSecondFactor, { body })
      setStarted({ secret, uri })
      return {}
    },
    () => setPassword(''),
  )
  const confirm = useAccountCall(
    (body: { code: string }) => adminCall(confirmSecondFactor, { body }),
    () => {
      setStarted(null)
      setCode('')
    },
  )
  const drop = useAccountCall(
    (body: { password: string }) => adminCall(dropSecondFactor, { body }),
    () => setPassword(''),
  )
  const asked = isOn ? drop : start
  return (
    <section className={css.section} aria-labelledby="factor-title">
      <h2 className={css.title} id="factor-title">
        Second factor
      </h2>
      <p className={css.text}>
        {isOn
          ? 'On: signing in with the password also asks for a code of your authenticator app.'
          : 'Off. With it, signing in with the password also asks for a code of an authenticator app.'}
      </p>
      {started ? (
        <form
          className={css.form}
          onSubmit={(event: SubmitEvent) => {
            event.preventDefault()
            confirm.run({ code })
          }}
        >
          <div className={css.qr}>
            <QrCode text={started.uri} label="The secret for your authenticator app" />
          </div>
          <p className={css.text}>Scan it, or type this secret in:</p>
          <p className={css.code}>{started.secret}</p>
          <Field
            label="Code"
            hint="What the app shows now. The second factor is on once it was right."
            fault={confirm.faults['code']}
          >
            {(control) => (
              <input
                {...control}
                inputMode="numeric"
                autoComplete="one-time-code"
                required
                value={code}
                onChange={(event) => setCode(event.target.value)}
              />
            )}
          </Field>
          <div className={css.row}>
            <Button look="primary" type="submit" disabled={confirm.isBusy}>
              Turn it on
            </Button>
            <Button onClick={() => setStarted(null)}>Cancel</Button>
          </div>
        </form>
      ) : (
        <form
          className={css.form}
          onSubmit={(event: SubmitEvent) => {
            event.preventDefault()
            asked.run({ password })
          }}
        >
          <PasswordField fault={asked.faults['password']} value={password} onChange={setPassword} />
          <Button type="submit" disabled={asked.isBusy}>
            {isOn ? 'Turn it off' : 'Set it up'}
          </Button>
        </form>
      )}
    </section>
  )
}
