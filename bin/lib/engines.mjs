import { findOnPath } from './find-on-path.mjs'

/**
 * Looks for the browsers besides Chromium that the journeys of `npm test -- engines` run in: none is downloaded.
 *
 * @returns {{ env: NodeJS.ProcessEnv, missing: readonly string[] }} `env` names what was found for `e2e/engines`,
 *   `missing` says what was not, a sentence each
 */
export function findEngines() {
  const firefox = findOnPath('firefox-esr') ?? findOnPath('firefox')
  const driver = findOnPath('WebKitWebDriver')
  const xvfb = findOnPath('Xvfb')
  const hasScreen = xvfb !== null || Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY)
  return {
    env: {
      FIREFOX_PATH: firefox ?? '',
      WEBKIT_DRIVER_PATH: hasScreen ? (driver ?? '') : '',
      XVFB_PATH: xvfb ?? '',
    },
    missing: [
      ...(firefox ? [] : ['Firefox is not installed (Debian: firefox-esr).']),
      ...(driver ? [] : ['WebKitGTK is not installed (Debian: webkit2gtk-driver).']),
      ...(driver && !hasScreen ? ['WebKitGTK has no screen to open on (Debian: xvfb).'] : []),
    ],
  }
}
