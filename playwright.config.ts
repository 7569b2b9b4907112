import { availableParallelism, loadavg } from 'node:os'
import { defineConfig } from '@playwright/test'
import { SWITCHED_OFF } from './e2e/support/browser-features.ts'

/** Where Chromium stands: the test bootstrap finds or installs one; a developer's own is used without it. */
const chromium = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
/** The same without windows, where there is one. */
const shell = process.env['CHROMIUM_SHELL_PATH'] ?? chromium

/** Chromium does not run with libfaketime; `support/site.ts` puts the clocks of its pages ahead instead. */
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
    // Optimizing the code of pages that are soon closed costs more than it saves.
    '--js-flags=--no-opt --no-maglev',
    `--disable-features=${SWITCHED_OFF.join(',')}`,
  ],
})

/** About as many processes as the suites keep busy themselves. */
const OWN_LOAD = 4
/** 1 on a machine that runs nothing else: beside other work journeys are given as much more time. */
const SLOWDOWN = Math.max(1, ((loadavg()[0] ?? 0) - OWN_LOAD) / availableParallelism())

/** Journeys that only `npm test -- deep` runs, and those that it also runs on a desk. */
const [DEEP, WIDE] =
  process.env['DEEP'] === '1' ? [[], []] : [['**/deep/**'], ['**/steady.spec.ts']]

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/support/start-site.ts',
  fullyParallel: true,
  workers: Number(process.env['E2E_WORKERS'] ?? 2),
  forbidOnly: process.env['CI'] !== undefined,
  // A journey goes on as soon as what it waits for is there; only a fault, or a machine that hardly moves, takes so long, and
  // what waits for a job of the server says how long it may.
  // There is no second try: it would hide a fault that shows now and then.
  // No trace either: it made every journey a quarter slower. When you look for a fault, TRACE=retain-on-failure records one.
  timeout: 120_000 * SLOWDOWN,
  expect: { timeout: 10_000 * SLOWDOWN },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    // Set by the global setup before any test is run.
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
