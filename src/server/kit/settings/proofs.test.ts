import { readConfig } from '#server/kit/settings/config.ts'
import { expect, it } from 'vitest'

it('settings of proofs are read strictly', () => {
  const read = (env: Record<string, string>) => readConfig(env, '/').proofs
  expect(read({})).toEqual({ calendars: [], headersUrl: null })
  expect(
    read({
      OTS_CALENDARS: 'https://a.example.org/, http://127.0.0.1:14788',
      BLOCK_HEADERS_URL: 'https://e.example.org/api/',
    }),
  ).toEqual({
    calendars: ['https://a.example.org', 'http://127.0.0.1:14788'],
    headersUrl: 'https://e.example.org/api',
  })
  for (const bad of [
    'http://a.example.org',
    'a.example.org',
    'https://user:secret@a.example.org',
    'https://a.example.org, x',
  ]) {
    expect(() => read({ OTS_CALENDARS: bad })).toThrow(
      'OTS_CALENDARS must list 1 to 10 https addresses',
    )
    expect(() => read({ BLOCK_HEADERS_URL: bad })).toThrow(
      'BLOCK_HEADERS_URL must be the https address',
    )
  }
})
