import { useState } from 'react'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Row } from '#web/ui/primitives.tsx'

const NOTE_MS = 2_000

export function ShareButtons({ url, text }: { readonly url: string; readonly text: string }) {
  const [note, setNote] = useState('')
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(url)
      setNote('Copied!')
    } catch {
      setNote('Copy failed')
    }
    setTimeout(() => setNote(''), NOTE_MS)
  }
  const query = new URLSearchParams({ text, url }).toString()
  return (
    <Row gap={3}>
      <Button onClick={() => void copy()}>
        <Icon name="link" size={18} /> Copy link
      </Button>
      <a
        className={buttonClass('plain')}
        href={`https://x.com/intent/post?${query}`}
        target="_blank"
        rel="noopener"
      >
        Post on X
      </a>
      <a
        className={buttonClass('plain')}
        href={`mailto:?${new URLSearchParams({ subject: text, body: url }).toString().replaceAll('+', '%20')}`}
      >
        Email
      </a>
      <span role="status">{note}</span>
    </Row>
  )
}
