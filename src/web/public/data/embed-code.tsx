import { useRef, useState } from 'react'
import {
  EMBED_THEMES,
  embedCode,
  embedHeight,
  embedPath,
  type EmbedTheme,
} from '#contracts/embed.paths.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Segment, Segments } from '#web/ui/segments.tsx'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import css from './download-and-cite.module.css'

const THEME_NAMES = { light: 'Light', dark: 'Dark' } as const

/** The code that shows a page within another one; nothing for a page that cannot be framed. */
export function EmbedCode({
  origin,
  path,
  search,
  title,
}: {
  /** The address of the site, without a slash at the end. */
  readonly origin: string
  readonly path: string
  readonly search: string
  readonly title: string
}) {
  const [theme, setTheme] = useState<EmbedTheme | null>(null)
  const shown = useRef<HTMLElement>(null)
  const embed = embedPath(path, search, theme)
  if (embed === null) return null
  const code = embedCode({ src: origin + embed, title, width: '100%', height: embedHeight(path) })
  return (
    <Stack gap={2} role="group" aria-label="Embed">
      <Text>Embed this view in another page:</Text>
      <code className={css.code} ref={shown}>
        {code}
      </code>
      <Row gap={3}>
        <Segments label="Theme of the embed">
          <Segment pressed={theme === null} onPress={() => setTheme(null)}>
            As the reader’s device
          </Segment>
          {EMBED_THEMES.map((one) => (
            <Segment key={one} pressed={theme === one} onPress={() => setTheme(one)}>
              {THEME_NAMES[one]}
            </Segment>
          ))}
        </Segments>
        <CopyButton text={code} label="Copy code" done="Code copied" shown={shown} />
        <a href={embed} target="_blank" rel="noopener">
          Preview
        </a>
      </Row>
    </Stack>
  )
}
