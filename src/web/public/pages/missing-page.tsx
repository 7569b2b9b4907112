import { type PageProps } from '#web/head/site.ts'
import { buttonClass, Button } from '#web/ui/button.tsx'
import { Prose } from '#web/ui/prose.tsx'

const TEXTS = {
  page: {
    title: 'Page not found',
    lead: 'The address may have been mistyped, or the page has moved.',
  },
  prediction: {
    title: 'No such prediction',
    lead: 'It may have been withdrawn, or its address was cut short.',
  },
  expert: {
    title: 'No such expert',
    lead: 'Two entries may have been merged, or the address was cut short.',
  },
  report: {
    title: 'No such report',
    lead: 'No error was reported under this number.',
  },
} as const

export function MissingPage({ content }: PageProps<'missing'>) {
  const { title, lead } = TEXTS[content.what]
  return (
    <Prose title={title} lead={lead}>
      <p>
        <a className={buttonClass('primary')} href="/btc">
          All Bitcoin predictions
        </a>
      </p>
      <p>
        Or look at <a href="/mstr">MSTR</a>, <a href="/naka">NAKA</a> or the{' '}
        <a href="/">start page</a>.
      </p>
    </Prose>
  )
}

export function UnavailablePage() {
  return (
    <Prose
      title="Temporarily unavailable"
      lead="The site cannot read its data right now. Nothing is lost."
    >
      <p>
        <Button look="primary" onClick={() => window.location.reload()}>
          Try again
        </Button>
      </p>
    </Prose>
  )
}
