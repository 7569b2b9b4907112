import { availableParallelism, loadavg } from 'node:os'
import { defineConfig } from '@playwright/test'
import { SWITCHED_OFF } from './e2e/support/browser-features.ts'

/** Path of Chromium: `npm test` finds or installs one; without it, the developer's own. */
const chromium = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
/** Its headless shell, if there is one. */
const shell = process.env['CHROMIUM_SHELL_PATH'] ?? chromium

/** Chromium does not run with libfaketime; `support/site.ts` sets the clocks of its pages ahead instead. */
const { LD_PRELOAD: _, ...browserEnvironment } = process.env

const launchOf = (executablePath: string) => ({
  executablePath,
  env: browserEnvironment,
  args: [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    // Optimizing code of pages that are soon closed costs more than it saves.
    '--js-flags=--no-opt --no-maglev',
    `--disable-features=${SWITCHED_OFF.join(',')}`,
  ],
})

/** Load caused by the suites themselves, in processes. */
const OWN_LOAD = 4
/** 1 on an otherwise idle machine; with other work, timeouts grow accordingly. */
const SLOWDOWN = Math.max(1, ((loadavg()[0] ?? 0) - OWN_LOAD) / availableParallelism())

/** Journeys that only `npm test -- deep` runs, and those that it also runs at desktop width. */
const [DEEP, WIDE] =
  process.env['DEEP'] === '1' ? [[], []] : [['**/deep/**'], ['**/steady.spec.ts']]

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/support/start-site.ts',
  fullyParallel: true,
  workers: Number(process.env['E2E_WORKERS'] ?? 2),
  forbidOnly: process.env['CI'] !== undefined,
  // Only a fault, or a machine that nearly stands still, takes this long; waits for jobs of the server have timeouts of
  // their own. No retries: they would hide flaky faults. No traces either: they made every journey a quarter slower.
  // TRACE=retain-on-failure records one.
  timeout: 120_000 * SLOWDOWN,
  expect: { timeout: 10_000 * SLOWDOWN },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    // Set by the global setup before any test runs.
    baseURL: process.env['SITE_URL'] ?? '',
    // Animations take a fifth of a journey's CPU time; journeys about movement enable them.
    contextOptions: { reducedMotion: 'reduce' },
    // Journeys test the server's responses; those about the service worker allow it.
    serviceWorkers: 'block',
    trace: process.env['TRACE'] === 'retain-on-failure' ? 'retain-on-failure' : 'off',
    locale: 'en-GB',
    timezoneId: 'America/Los_Angeles',
    launchOptions: launchOf(shell),
  },
  projects: [
    {
      name: 'desk',
      use: { viewport: { width: 1440, height: 900 } },
      testIgnore: ['**/{phone,notifications}.spec.ts', '**/engines/**', ...DEEP, ...WIDE],
    },
    {
      // The shell shows no notifications.
      name: 'whole browser',
      use: { viewport: { width: 1440, height: 900 }, launchOptions: launchOf(chromium) },
      testMatch: '**/notifications.spec.ts',
      testIgnore: DEEP,
    },
    {
      name: 'phone',
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
      testMatch: '**/{phone,steady}.spec.ts',
      testIgnore: DEEP,
    },
  ],
})
