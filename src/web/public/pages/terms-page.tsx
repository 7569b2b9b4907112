import { Prose } from '#web/ui/prose.tsx'

export function TermsPage() {
  return (
    <Prose
      title="Terms of service"
      lead="The site is free to read. These are the terms it is offered under."
    >
      <h2>No advice</h2>
      <p>
        Nothing here is investment advice, an offer or a recommendation. Predictions are the words
        of those who made them; verdicts say what the price did, not what it will do.
      </p>
      <h2>Accuracy</h2>
      <p>
        Prices and predictions are collected from public sources and may contain errors or be late.
        When someone shows us a mistake, we correct it, and say so in the history of the entry and
        under <a href="/corrections">Corrections</a>. We give no warranty that the site is complete,
        correct or always reachable, and are not liable for decisions taken because of it, as far as
        the law permits.
      </p>
      <h2>Being named here</h2>
      <p>
        We list statements that were made in public, with their source. If you are named and an
        entry misquotes you, write to us with the source that shows it (
        <a href="/about#contact">how to reach us</a>); we check it and correct or withdraw the
        entry.
      </p>
      <h2>Submissions</h2>
      <p>
        A submission is reviewed before it goes live and may be declined. Payments for submissions
        are not refunded when a submission is declined. Do not submit what you have no right to
        share.
      </p>
      <h2>Privacy</h2>
      <p>
        Reading needs no account, and the site sets no tracking cookies. Your browser stores whether
        you chose the dark theme and a copy of the last pages for reading offline. If you submit a
        prediction, it also stores what you typed until it is sent, and the private addresses of
        your receipts. All of it goes when you clear the data of this site.
      </p>
      <h2>Use of the data</h2>
      <p>
        You may quote and link to entries, and take <a href="/data">the whole record as data</a>.
        How verdicts come about is described under{' '}
        <a href="/methodology">How verdicts are decided</a>.
      </p>
    </Prose>
  )
}
