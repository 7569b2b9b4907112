import { defineConfig } from '@playwright/test'

/**
 * `npm test -- engines`: Playwright runs these journeys and counts them, but drives no browser. The engines that Debian
 * ships are driven through their own protocols, see `e2e/engines/browser.ts`.
 */
export default defineConfig({
  testDir: 'e2e/engines',
  outputDir: 'test-results',
  globalSetup: './e2e/support/start-site.ts',
  fullyParallel: true,
  workers: 2,
  forbidOnly: process.env['CI'] !== undefined,
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
})
