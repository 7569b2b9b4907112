import { useSite } from '#web/head/site.ts'
import { Prose } from '#web/ui/prose.tsx'

export function AboutPage() {
  const { social, nostr, email, lightning } = useSite().contacts
  return (
    <Prose
      title="About us"
      lead="Proof of Price keeps a public record of price predictions and of what became of them."
    >
      <p>
        Anyone can call a price. A year later, hardly anyone remembers who called what. This site
        writes down what named people and firms said in public about the price of Bitcoin, of
        Strategy (MSTR) and of the NAKA token: the level, the deadline, the day it was said and the
        source. Each verdict shows the day and price that settled it.
      </p>
      <h2>What we hold ourselves to</h2>
      <ul>
        <li>One rule for everyone, published in full, with a version on every verdict.</li>
        <li>A prediction keeps the exact numbers that were said, and its source is linked.</li>
        <li>Verdicts follow from prices alone, and anyone can check them against the evidence.</li>
        <li>
          Nothing is changed silently: a corrected verdict is a new entry with its reason, and the
          old one stays in the history. <a href="/corrections">All corrections</a>
        </li>
        <li>Hits and misses get the same space.</li>
      </ul>
      <h2>What this is not</h2>
      <p>
        This is not financial advice. A good record may be luck, which is why people are compared
        with what luck would have done, and the hit rate comes with its margin of error.
      </p>
      <p>
        The rules are on the page <a href="/methodology">How verdicts are decided</a>, and so is{' '}
        <a href="/methodology#selection">how claims get in, and who runs this site</a>.
      </p>
      {lightning !== null && (
        <>
          <h2 id="support">Support</h2>
          <p>
            This site takes sats at the Lightning address{' '}
            <a href={`lightning:${lightning}`}>{lightning}</a>, from any wallet, with a comment if
            you like. To support a prediction instead, press <b>Boost it</b> on its page. Sats buy
            no verdict: they order some lists, and that is all.
          </p>
        </>
      )}
      <h2 id="contact">Contact</h2>
      {social === null && nostr === null && email === null ? (
        <p>No contact address has been set up yet.</p>
      ) : (
        <ul>
          {email !== null && (
            <li>
              <a href={`mailto:${email}`}>{email}</a>
            </li>
          )}
          {[social, nostr].map(
            (address) =>
              address !== null && (
                <li key={address}>
                  <a href={address} rel="noopener me">
                    {address}
                  </a>
                </li>
              ),
          )}
        </ul>
      )}
    </Prose>
  )
}
