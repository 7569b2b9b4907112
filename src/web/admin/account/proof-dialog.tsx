import { type ReactNode } from 'react'
import { type z } from 'zod'
import { AdminForm, type FormField } from '#web/admin/kit/admin-form.tsx'
import { DialogButton } from '#web/admin/kit/screen.tsx'
import { type Callable, type CallInput } from '#web/api/call.ts'

export const NO_PROOF = { password: '', code: '' }

export function proofFields(
  asksCode: boolean,
): Readonly<Record<'password' | 'code', FormField | false>> {
  return {
    password: { label: 'Your password', is: 'password' },
    code: asksCode && {
      label: 'Code',
      is: 'code',
      maxLength: 40,
      hint: 'From your authenticator app, or one of your recovery codes.',
    },
  }
}

/** A button that opens a dialog, which sends a call with the administrator's own password. */
export function ProofDialog<Called extends Callable>({
  button,
  about,
  title,
  asksCode,
  route,
  params,
  tick,
  body,
  send,
  onDone,
  children,
}: {
  readonly button: string
  readonly about?: string
  readonly title: string
  readonly asksCode: boolean
  readonly route: Called
  readonly params?: CallInput<Called>['params']
  readonly tick?: string | undefined
  /** The proof, unless given. */
  readonly body?: (proof: typeof NO_PROOF, isTicked: boolean) => CallInput<Called>['body']
  readonly send: string
  readonly onDone?: (answer: z.infer<Called['reply']>) => void
  readonly children: ReactNode
}) {
  return (
    <DialogButton {...{ title, button, about }}>
      {(close) => (
        <>
          {children}
          <AdminForm
            label={title}
            route={route}
            params={params}
            start={{ ticked: false, ...NO_PROOF }}
            fields={{ ticked: tick !== undefined && { label: tick }, ...proofFields(asksCode) }}
            body={({ ticked, ...proof }) =>
              (body?.(proof, ticked) ?? proof) as CallInput<Called>['body']
            }
            send={send}
            sending="Sending..."
            onDone={(answer) => {
              onDone?.(answer)
              close()
            }}
            onCancel={close}
          />
        </>
      )}
    </DialogButton>
  )
}
