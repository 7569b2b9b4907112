// @vitest-environment jsdom
import { transferableAbortController } from 'node:util'
import { act, cleanup, render } from '@testing-library/react'
import { createElement } from 'react'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { day } from '#domain/day.ts'
import { show } from '#tests/support/admin-screens.tsx'
import { fullSite } from '#tests/support/full-site.ts'
import { onceForFile } from '#tests/support/once-for-file.ts'
import { plain } from '#tests/support/readable.ts'
import { PASSWORD } from '#tests/support/sign-in.ts'
import { stepsText } from '#tests/support/steps.ts'
import { stubWideWindow } from '#tests/support/web-fixtures.ts'
import { AdminApp } from '#web/admin/admin-app.tsx'
import { GROUPS } from '#web/admin/screens.ts'
import { fetchPage } from '#web/api/page-data.ts'
import { contentOf } from '#web/head/site.ts'
import { App } from '#web/public/app.tsx'
import { loadView } from '#web/public/page-views.ts'

const site = onceForFile(() => {
  // The server needs those of Node.
  const { constructor, signal } = transferableAbortController()
  vi.stubGlobal('AbortController', constructor)
  vi.stubGlobal('AbortSignal', signal.constructor)
  vi.stubGlobal('Uint8Array', Object.getPrototypeOf(Buffer))
  vi.stubGlobal('ArrayBuffer', Buffer.from('').buffer.constructor)
  return fullSite()
})
afterEach(cleanup)

/**
 * Files of walks: an address, perhaps of a reviewer, and what is done there. `Save` is pressed, `Reason = Spam` is typed,
 * `Decide/Reason` is in the part *Decide*, `…` waits for a preview, `! 400 reason: Why?` refuses the next call, `!` loses
 * it. `:0` is the oldest submission. They are in this order, as later ones see what earlier ones changed.
 */
const WALKS: Readonly<Record<string, string>> = {
  experts: `
    experts?open=4
    experts?open=4 > Other names = B Firm\\n\\n Tom > @experta, named > Save
    experts?open=4 > Name = X > ! 400 name: Too long. > Save
    experts?open=1&into=2 > Merge into
    experts?open=5 > Show the merged person
    experts > Check and merge`,
  predictions: `
    predictions?open=mended
    predictions?open=mended > Price as said = 70.000 > … > Reason = A slip > Save
    predictions?open=mended > Public text = Mine > … > ! 400 sources.0.url: No address. > Save > ! 400 reason: Why? > Save > ! > Save > Discard changes
    predictions?open=near > Withdraw > Decide/Reason = Parody > Withdraw > Undo
    predictions?open=near > Decide/Reason = Odd > Freeze
    predictions?state=frozen&asset=btc&page=2&q=lee > Show all again
    reviewer predictions?open=near`,
  reports: `
    reports?open=3
    reports?open=3 > Decline > In a sentence = It stands. > Decline/Decline > Undo
    reports?open=3 > Withhold its text > Undo
    reviewer reports?state=all&open=1 > Open it again
    reviewer reports?open=3
    reports?open=1 > Accept by this correction
    reports?state=all&open=2`,
  replies: `
    replies > Expert A > Decline… > Decline > Reason = Not them > ! 400 Too late. > Decline
    replies > Expert A > How you verified = By phone. > Publish
    replies?state=published > Expert A > Take down…
    goalposts?state=all > Dismiss > Undo > Back to suggested`,
  operations: `
    operations > Answer for MSTR on 29/Answer = real > Answer for MSTR on 29/Answer
    operations > Answer for MSTR on 22/Answer = split > Answer for MSTR on 22/Split = 2 > Answer for MSTR on 22/Answer
    operations > It arrived > Dismiss
    payments?kind=all > Expert A $150,000
    payments?kind=odd > Expert A $150,000 > Note = Sent back > Mark as settled > Undo
    payments?kind=late`,
  review: `
    dashboard?open=:0
    dashboard?open=:0 > Edit > Price target = 160k > … > ! 400 notes: Too long. > Save > View > Approve
    dashboard?open=:0 > Prediction made = 2024-08-29 > Approve
    dashboard?open=:0 > Edit > Create a new > … > Save
    dashboard?open=:0 > Edit > Status = rejected > Admin comment = Not him > … > Save
    dashboard > Flagged
    dashboard?tab=all > Keys
    dashboard?q=satoshi
    reviewer home`,
  decisions: `
    dashboard?open=:2 > Reject > Reject/Reject > 1 Spam > More words = An advertisement > ! 400 admin_comment: Too long. > Reject/Reject
    dashboard?open=:2 > Reject > 1 Spam > Reject/Reject > Undo
    dashboard?open=:2 > Approve > Use the submitter > As it was said > … > Approve/Approve`,
  queue: `
    queue > Links of posts = https://x.com/a/status/1 https://evil-x.com/a > Add to the queue
    queue > Links of posts = https://example.org > Add to the queue
    queue > ! 503 X is away. > Process #1 > Delete #3 > Undo
    queue > Paste the text of #4 > Read this text > Text of the post = BTC to $250k by 2027 > Read this text
    queue > View #4 > Price Prediction = 260k > Submit Prediction
    queue > View #4 > Submit Prediction > Submit another one
    queue > Failed > Show all`,
  extractor: `
    extractor > Paste the text > Extract > Text of the post = Will BTC hit $250k by 2027? > Extract
    extractor > Paste the text > Text of the post = BTC to $90k by 2027 > Author = @b > Day it = 2024-03-10 > Extract > Expert Name =  > Target Date =  > Submit Prediction`,
  audit: `
    publish > Drafts > History
    publish > Dismiss: On record > Undo > Show all
    audit > Prediction edited > Who = Admin A > From = 2024-08-31 > Only this
    audit?q=nothing`,
  accounts: `
    accounts > Make administrator: Admin B > Your password = guess > Change the role
    accounts > Make administrator: Admin B > Your password = ${PASSWORD} > Change the role
    accounts > New password: Admin B > Your password = ${PASSWORD} > Make the link
    accounts > Disable: Admin B > Your password = ${PASSWORD} > Disable
    account > Create a token > Set it up`,
}

let open = 0
const calls: string[] = []
let refusal: (() => Response) | null = null
let role: 'admin' | 'reviewer' = 'admin'

/** Calls of a screen, answered by the site for its administrator, or by a refusal. */
async function answer(url: string, { method, body, headers }: RequestInit = {}): Promise<Response> {
  const { app, [role]: who } = site()
  if (method !== undefined && method !== 'GET') {
    // Previews are sent when the input has rested.
    if (!/\/(?:dry-run|preview)$/.test(url))
      calls.push(`${method} ${url} ${(body as string | undefined) ?? ''}`)
    const refused = refusal
    refusal = null
    if (refused) return refused()
  }
  open += 1
  const sent = await app.inject({
    method: method as 'GET',
    url,
    headers: { ...(headers as Record<string, string>), ...who.headers },
    remoteAddress: who.remoteAddress,
    payload: body as string,
  })
  open -= 1
  const type = String(sent.headers['content-type'])
  return new Response(sent.body, { status: sent.statusCode, headers: { 'content-type': type } })
}

/** A search that has been typed. */
const UNANSWERED = 'input[role=combobox][aria-label^=Person][aria-expanded=false]:not([value=""])'

async function settle(): Promise<void> {
  for (let quiet = 0; quiet < 4; quiet += 1) {
    await act(() => vi.dynamicImportSettled())
    await act(() => new Promise((done) => void setTimeout(done, 25)))
    await act(() => vi.dynamicImportSettled())
    const isBusy = /Loading|Judging(?:\.| it)/.test(document.body.textContent)
    if (open > 0 || isBusy || document.querySelector(UNANSWERED)) quiet = 0
  }
}

/** A step that neither presses nor types. */
function special(text: string): string | (() => unknown) {
  if (text === '…') return () => act(() => new Promise((done) => void setTimeout(done, 700)))
  const [refused, status, field, error] = /^!(?: (\d+) (?:([\w.]+): )?(.*))?$/.exec(text) ?? []
  if (refused === undefined) return text
  const body = { success: false, code: 'invalid', error, fields: field && { [field]: error } }
  return () => {
    refusal = () => {
      if (status === undefined) throw new TypeError('The connection is lost.')
      return Response.json(body, { status: Number(status) })
    }
  }
}

/** What an administrator sees at an address, or after each step there. */
async function seen(address: string, steps: readonly string[] = []): Promise<string> {
  const [to = '', by] = address.split(' ').toReversed()
  role = by === 'reviewer' ? by : 'admin'
  refusal = null
  localStorage.clear()
  localStorage.setItem('adminLoggedIn', 'true')
  localStorage.setItem('adminUsername', site()[role].username)
  history.replaceState(null, '', `/admin/${to}`)
  show(createElement(AdminApp))
  const texts = await stepsText(steps.map(special), { settle, sent: () => calls.splice(0) })
  cleanup()
  const timeless = texts
    // The clock of the database.
    .replaceAll(/\d\d\/\d\d\/20(?!24)\d\d, \d\d:\d\d/g, '<now>')
    // The composer takes a lost focus when the clock moves on.
    .replaceAll(/^@ Post on X\n/gm, '')
  return `${plain(`# ${address}`)}\n${timeless}`
}

beforeEach(() => {
  stubWideWindow()
  vi.stubEnv('TZ', 'UTC')
  const silence = () => Object.assign(new EventTarget(), { close: () => undefined })
  vi.stubGlobal(
    'EventSource',
    vi.fn(function source() {
      return silence()
    }),
  )
  vi.stubGlobal('fetch', answer)
  Element.prototype.scrollIntoView = () => undefined
})
afterAll(() => void Reflect.deleteProperty(Element.prototype, 'scrollIntoView'))

it('the screens of administrators have their stored texts', async () => {
  const texts = []
  for (const { screens } of GROUPS)
    for (const { to } of screens) texts.push(await seen(to.replace('/admin/', '')))
  await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot('../texts/administrators.txt')
})

const PENDING = 'select id from submissions order by created_at'

it.each(Object.entries(WALKS))('the steps on %s have their stored texts', async (name, walks) => {
  const rows = await site().sql(PENDING)
  const texts = []
  for (const walk of walks.trim().split('\n')) {
    const [address = '', ...steps] = walk.trim().split(' > ')
    const path = address.replace(/:(\d)/, (_, n: string) => String(rows[Number(n)]?.id))
    texts.push(await seen(path, steps))
  }
  await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot(`../texts/admin-${name}.txt`)
})

/** Pages of the site, and what visitors do there. */
const VISITS = `
  /predictions/near > Judge it here > Daily close
  /predictions/soon > Boost it > 2,100 > Create invoice
  /predictions/near > Is this you? > Your reply = I said more. > Get the code > Your reply = I said less.
  /predictions/near > Report an error > Kind of error = date > What is wrong = Another day. > Send the report
  /predictions/near > Follow
  /experts > Search > Person, level, year or page = 2023
  / > Submit Prediction > Expert name = Expert A > Price target = 90k > Target date = 31/12/2025 > Continue to payment > 21 > Create invoice`

it('the steps of visitors have their stored texts', async () => {
  const texts = []
  for (const visit of VISITS.trim().split('\n')) {
    const [path = '', ...steps] = visit.trim().split(' > ')
    history.replaceState(null, '', path)
    const { data, today, ...rest } = await fetchPage(path, new AbortController().signal)
    const content = contentOf(data)
    const first = { path, content, view: await loadView(content.page) }
    render(createElement(App, { ...rest, first, today: day(today) }))
    const told = await stepsText(steps, { settle, sent: () => calls.splice(0) })
    texts.push(`# ${path}\n${told.replaceAll(RANDOM, '<random>')}`)
    cleanup()
  }
  await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot('../texts/visitors.txt')
})
const RANDOM = /(?<=proofofprice)(?:-\w{4}){2}|(?<="timer"\] )[\d:]+|_r_\w+_/g
