import { expect, it } from 'vitest'
import { agentText } from './agent-text.ts'

const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15'
const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko)'
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'

it.each([
  [`${MAC} Version/18.1 Safari/605.1.15`, 'Safari on macOS'],
  [`${MAC} Chrome/142.0.0.0 Safari/537.36`, 'Chrome on macOS'],
  [`${PHONE} Version/18.1 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
  [`${PHONE} CriOS/142.0 Mobile/15E148 Safari/604.1`, 'Chrome on iPhone'],
  [`${ANDROID} Chrome/142.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [
    `${ANDROID} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  [`${WINDOWS} AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36 Edg/142.0`, 'Edge on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
  ['curl/8.9.1', 'curl/8.9.1'],
  ['', 'Unknown'],
  ['x'.repeat(50), `${'x'.repeat(40)}…`],
])('names the browser %s', (agent, text) => {
  expect(agentText(agent)).toBe(text)
})
