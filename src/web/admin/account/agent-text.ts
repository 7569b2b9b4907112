import { truncate } from '#domain/clean-text.ts'
/** The order matters: most browsers also claim to be an older one. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]
const LONGEST = 40

/** A readable name for a user agent: `Firefox on Windows`. Scripts are shown by their own user agent. */
export function agentText(agent: string): string {
  if (agent.trim() === '') return 'Unknown'
  const named = (names: readonly (readonly [RegExp, string])[]): string | null =>
    names.find(([pattern]) => pattern.test(agent))?.[1] ?? null
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)]
  if (browser !== null) return system === null ? browser : `${browser} on ${system}`
  return truncate(agent, LONGEST)
}
