import { Secret, TOTP } from 'otpauth'
import { expect, it } from 'vitest'
import { stepOfCode, TOTP_STEP_S } from './second-factor.service.ts'

const NOW = Date.parse('2026-11-20T12:00:10Z')
const STEP_MS = TOTP_STEP_S * 1_000
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const app = new TOTP({ secret: Secret.fromBase32(SECRET), period: TOTP_STEP_S })

it.each([-1, 0, 1])(
  'a code of an authenticator app is valid %d steps away, and names its step',
  async (steps) => {
    const code = app.generate({ timestamp: NOW + steps * STEP_MS })
    expect(await stepOfCode(SECRET, code, NOW)).toBe(Math.floor(NOW / STEP_MS) + steps)
  },
)

it.each([-10, -2, 2, 10])(
  'a code of an authenticator app is invalid %d steps away',
  async (steps) => {
    const code = app.generate({ timestamp: NOW + steps * STEP_MS })
    expect(await stepOfCode(SECRET, code, NOW)).toBeNull()
  },
)

it.each(['', '12345', '1234567', 'abcdef'])(
  '%j is not a code of an authenticator app',
  async (code) => {
    expect(await stepOfCode(SECRET, code, NOW)).toBeNull()
  },
)
