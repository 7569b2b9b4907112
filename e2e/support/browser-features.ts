/**
 * Pages that Chromium loads behind the address bar of each new window, each with its own renderer. They took more
 * than a third of the time to open a page.
 */
const ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup']

/** A spare process for the next page: a third of all renderers, hardly any of which is used. */
const SPARE_RENDERER = 'SpareRendererForSitePerProcess'

/** A process for each sandboxed frame, whose requests a page's session would not see; the headless shell has none. */
const OWN_FRAMES = 'IsolateSandboxedIframes'

/** Features that Playwright disables. Chromium only uses the last list, so ours repeats this one. */
const BY_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
]

/** The features of Chromium that the browser tests run without. */
export const SWITCHED_OFF = [...ADDRESS_BAR, SPARE_RENDERER, OWN_FRAMES, ...BY_PLAYWRIGHT]
