import { NETWORKS_OF_POSTS } from '#domain/publishing/social-post.ts'
import { planAutomatic } from '#server/publishing/news.service.ts'
import { onceForFile } from '#tests/support/once-for-file.ts'
import { gif, JPEG, noisyJpeg, PNG } from '#tests/support/pictures.ts'
import { presentTime } from '#tests/support/present-time.ts'
import { movingClock } from '#tests/support/review.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { callsOf, sendDue, sendKit, socialWorld } from '#tests/support/social-world.ts'
import { X_PROBLEMS } from '#tests/support/stand-ins/x-server.ts'
import { stories } from '#tests/support/story.ts'

const clock = movingClock()
let setPresent: (ms: number) => Promise<void>
const world = onceForFile(async () => {
  const opened = await socialWorld({ clock })
  setPresent = await presentTime(opened.database)
  return opened
})
const { upload } = callsOf(world)

const FILES: Readonly<Record<string, Buffer>> = {
  '@png': PNG,
  '@photo': noisyJpeg(JPEG),
  '@still': gif(1),
  '@moving': gif(2),
  '@program': Buffer.from('MZ\u0090 This program'),
  '@huge': Buffer.alloc(6_000_000, 1),
}

/** Sets properties of a stand-in, such as `post=credits`, or `put={"status":502}`. */
function set(of: object, words: string): void {
  const [name = '', value = ''] = words.split(/=(.*)/)
  const known = new Map<string, unknown>(Object.entries(X_PROBLEMS))
  const given = /^[\d{]/.test(value) ? (JSON.parse(value) as unknown) : value
  Object.assign(of, { [name]: known.get(value) ?? given })
}

stories(
  world,
  clock,
  () => world().restored(),
  () => setPresent(clock.ms),
).replay('social', {
  x: (words) => set(world().x.behaviour, words),
  'x-limit': (words) => set(world().x.limits, words),
  'x-down': () => world().x.down(),
  'x-up': () => world().x.up(),
  bluesky: (words) => set(world().pds.behaviour, words),
  'bluesky-expire': (words) => world().pds.expire(words !== 'whole session'),
  'bluesky-loses-all': () => world().pds.records.clear(),
  relays: (words) => {
    for (const [, name = '', state = ''] of words.matchAll(/(\w)=(\w+)/g))
      world().nostr.answers.set(`wss://${name}.example`, state as 'later')
  },
  work: async () => {
    const { resend, work } = world()
    await resend()
    await Promise.all([work(), work(), work()])
  },
  /** Plans posts about verdicts in several processes, to these or all networks. */
  plan: async (words) => {
    const { kit } = world().publishing
    const only = Object.fromEntries(
      NETWORKS_OF_POSTS.map((one) => [one, words === '' || words.includes(one) ? kit[one] : null]),
    )
    const drawChart = () => Promise.reject(new Error('charts cannot be drawn'))
    const plan = () => planAutomatic({ ...kit, ...only, drawChart })
    const counts = await Promise.all([plan(), plan(), plan()])
    return { planned: counts.reduce((sum, one) => sum + one) }
  },
  'work-without-keys': async () => void (await sendDue(sendKit(world()))),
  upload: async (words) => {
    const [, url = '', fields = ''] = /(\S+) (.*)/.exec(words) ?? []
    const parts = fields.split('; ').map((field) => {
      const [name = '', value = ''] = field.split(/=(.*)/)
      const file = FILES[value]
      return file ? ([name, file, value] as const) : ([name, value] as const)
    })
    world().admin = await signedIn(world())
    const answer = await upload(url, parts)
    return { status: answer.statusCode, ...answer.json<object>() }
  },
  /** What the networks have received. */
  received: () => {
    const { x, nostr, pds } = world()
    const pictures = (of: readonly string[]) =>
      of.map((id) => {
        const { alt = null, bytes = Buffer.alloc(0) } = x.media.get(id) ?? {}
        return { alt, has_metadata: /secret|GPS/.test(bytes.toString('latin1')) }
      })
    const record = (body: string) => JSON.stringify((JSON.parse(body) as { record: object }).record)
    return {
      x: x.posts.map(({ text, media }) => ({ text, pictures: pictures(media) })),
      x_asked: x.requests.map(({ operation }) => operation).join(' '),
      nostr: nostr.sent
        .map(({ relay, event }) => [relay, event.id, event.content].join(' '))
        .toSorted(),
      bluesky: pds.writes.map(({ key, body }) => `/post/${key} ${record(body)}`),
      bluesky_has: [...pds.records.keys()].map((key) => `/post/${key}`).join(' '),
      bluesky_asked: [...pds.logins, ...pds.refreshes]
        .map((on) => on.replace(/-\d+/, ''))
        .join(' '),
    }
  },
})
