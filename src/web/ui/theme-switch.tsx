import { useSyncExternalStore } from 'react'
import { type ThemeName } from '#chart/theme.ts'
import { Button, IconButton } from './button.tsx'
import { onWindow } from './hooks.ts'
import { Icon } from './icon.tsx'

/** @param isNamed shows the label beside the icon */
export function ThemeSwitch({ isNamed = false }: { readonly isNamed?: boolean }) {
  const { theme, toggle } = useTheme()
  const [name, icon] =
    theme === 'dark' ? ['Light mode', 'sun' as const] : ['Dark mode', 'moon' as const]
  return isNamed ? (
    <Button onClick={toggle}>
      <Icon name={icon} size={18} /> {name}
    </Button>
  ) : (
    <IconButton label={name} onClick={toggle}>
      <Icon name={icon} />
    </IconButton>
  )
}

/** Key and values of public-site.md §4; public/theme.js reads them before the first paint. */
const KEY = 'darkMode'
const CHANGED = 'themechange'

/** The current theme and a toggle. Light on the server and until hydration. */
export function useTheme(): { readonly theme: ThemeName; readonly toggle: () => void } {
  const theme = useSyncExternalStore<ThemeName>(
    subscribe,
    () => (document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light'),
    () => 'light',
  )
  return { theme, toggle: () => setTheme(theme === 'dark' ? 'light' : 'dark') }
}

/** `--page` of tokens.css, for the browser's frame; public/theme.js repeats the dark one. */
const PAGE: Readonly<Record<ThemeName, string>> = { light: '#fafaf7', dark: '#0b0f17' }

function setTheme(theme: ThemeName): void {
  if (theme === 'dark') document.documentElement.dataset.theme = 'dark'
  else delete document.documentElement.dataset.theme
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', PAGE[theme])
  try {
    localStorage.setItem(KEY, String(theme === 'dark'))
  } catch {
    // With disabled storage, the choice lasts as long as the page.
  }
  window.dispatchEvent(new Event(CHANGED))
}

const subscribe = (notify: () => void) =>
  onWindow([CHANGED, 'storage'], (event) => {
    if (!(event instanceof StorageEvent)) notify()
    // Another tab has changed the theme.
    else if (event.key === KEY) setTheme(event.newValue === 'true' ? 'dark' : 'light')
  })
