import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import { useTheme } from './theme.ts'

/** Between light and dark; its name is the one it changes to. */
export function ThemeSwitch() {
  const { theme, toggle } = useTheme()
  return (
    <IconButton label={theme === 'dark' ? 'Light mode' : 'Dark mode'} onClick={toggle}>
      <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
    </IconButton>
  )
}
