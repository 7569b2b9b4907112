import { findOnPath } from './find-on-path.mjs'

/**
 * Finds the browsers besides Chromium for `npm test -- engines`; none is downloaded.
 *
 * @returns {{ env: NodeJS.ProcessEnv, missing: readonly string[] }} `env` gives their paths to `e2e/engines`, `missing`
 *   has a sentence for each one not found
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
