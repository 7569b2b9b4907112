import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import {
  adminServer,
  refusal,
  show,
  visitsText,
  type Visits,
} from '#tests/support/admin-screens.tsx'
import { click, press, type } from '#tests/support/on-screen.ts'
import { SignInForm } from './sign-in-form.tsx'

const server = adminServer()

const LOGIN = 'POST /api/admin/login'
const answers = (reply: unknown) => () => server.on(LOGIN, () => reply)
const refuses = (code: string, error: string) => () =>
  server.on(LOGIN, () => refusal(401, code, error))
const PASSWORD = 'Password = the password'

const VISITS: Visits = {
  'empty fields, and a wrong password': [
    [refuses('unauthorized', 'Wrong.')],
    'Login',
    'Username = ada',
    'Login',
    'Password = guess',
    'Login',
  ],
}
const AGAIN: Visits = {
  'signing in again, with a wrong code': [
    [refuses('second_factor', 'This code is wrong.')],
    PASSWORD,
    'Login',
    'Code = 000000',
    'Login',
  ],
  'a refusal sent with a success status': [
    [answers({ success: false, message: 'This account rests.' })],
    PASSWORD,
    'Login',
  ],
  'a refusal without a message': [[answers({ success: false })], PASSWORD, 'Login'],
}

it('the form for signing in has its stored texts', async () => {
  const onSignedIn = () => undefined
  const first = await visitsText(server, <SignInForm onSignedIn={onSignedIn} />, VISITS, true)
  const again = <SignInForm username="ada" onSignedIn={onSignedIn} />
  const file = '../../../../tests/texts/sign-in.txt'
  await expect(`${first}\n${await visitsText(server, again, AGAIN, true)}`).toMatchFileSnapshot(
    file,
  )
})

it('accepts a recovery code if the authenticator is lost', async () => {
  server.on('POST /api/admin/login', () => refusal(401, 'second_factor', 'Please enter the code.'))
  const onSignedIn = vi.fn<(username: string) => void>()
  show(<SignInForm username="ada" onSignedIn={onSignedIn} />)
  type('Password', 'the password')
  await press('Login')
  click('Use a recovery code')
  const recovery = screen.getByLabelText<HTMLInputElement>('Recovery code')
  expect(document.activeElement).toBe(recovery)
  const code = 'ABCD-EFGH-JKMN-PQRS'
  expect(recovery.maxLength).toBeGreaterThanOrEqual(code.length)
  expect(recovery.inputMode).toBe('')
  type('Recovery code', code)
  server.on('POST /api/admin/login', () => ({ success: true, message: '', username: 'ada' }))
  await press('Login')
  expect(onSignedIn).toHaveBeenCalledWith('ada')
  expect(server.made.at(-1)?.body).toMatchObject({ code })
})
