import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { adminServer, pass, refusal, show } from '#tests/support/admin-screens.tsx'
import { button, click, isAlerted, press, type } from '#tests/support/on-screen.ts'
import { SignInForm } from './sign-in-form.tsx'

const server = adminServer()

const send = () => press('Login')
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)

it('focuses the first empty field, or a wrong password', async () => {
  server.on('POST /api/admin/login', () => refusal(401, 'unauthorized', 'Wrong.'))
  show(<SignInForm onSignedIn={() => undefined} />)
  await pass(50)
  const [username, password] = [field('Username'), field('Password')]
  expect(document.activeElement).toBe(username)
  await send()
  isAlerted('Please enter both username and password')
  expect(document.activeElement).toBe(username)
  type('Username', 'ada')
  button('Login').focus()
  await send()
  expect(document.activeElement).toBe(password)
  type('Password', 'guess')
  button('Login').focus()
  await send()
  isAlerted('Wrong.')
  expect(document.activeElement).toBe(password)
})

it('asks for the code again if it was wrong', async () => {
  server.on('POST /api/admin/login', () => refusal(401, 'second_factor', 'This code is wrong.'))
  show(<SignInForm username="ada" onSignedIn={() => undefined} />)
  type('Password', 'the password')
  await send()
  type('Code', '000000')
  button('Login').focus()
  await send()
  isAlerted('This code is wrong.')
  expect(document.activeElement).toBe(field('Code'))
})

it('accepts a recovery code if the authenticator is lost', async () => {
  server.on('POST /api/admin/login', () => refusal(401, 'second_factor', 'Please enter the code.'))
  const onSignedIn = vi.fn<(username: string) => void>()
  show(<SignInForm username="ada" onSignedIn={onSignedIn} />)
  type('Password', 'the password')
  await send()
  click('Use a recovery code')
  const recovery = field('Recovery code')
  expect(document.activeElement).toBe(recovery)
  const code = 'ABCD-EFGH-JKMN-PQRS'
  expect(recovery.maxLength).toBeGreaterThanOrEqual(code.length)
  expect(recovery.inputMode).toBe('')
  type('Recovery code', code)
  server.on('POST /api/admin/login', () => ({ success: true, message: '', username: 'ada' }))
  await send()
  expect(onSignedIn).toHaveBeenCalledWith('ada')
  expect(server.made.at(-1)?.body).toMatchObject({ code })
})

it('starts at the password when signing in again', async () => {
  show(<SignInForm username="ada" onSignedIn={() => undefined} />)
  await pass(50)
  expect(document.activeElement).toBe(field('Password'))
})

it.each([
  [{ success: false, message: 'This account rests.' }, 'This account rests.'],
  [{ success: false }, 'Login failed'],
])('shows a refusal sent with a success status: %#', async (answer, message) => {
  server.on('POST /api/admin/login', () => answer)
  show(<SignInForm username="ada" onSignedIn={() => undefined} />)
  type('Password', 'the password')
  await send()
  expect(screen.getByRole('alert').textContent).toBe(message)
})
