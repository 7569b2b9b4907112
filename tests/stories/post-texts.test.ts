import { postSources } from '#server/composition/ports.ts'
import { SourceError } from '#server/kit/failure.ts'
import { AssistantError } from '#server/posts/ports.ts'
import { emptied, onceForFile } from '#tests/support/once-for-file.ts'
import { assistantSays, standInAssistant } from '#tests/support/reading-assistant.ts'
import { movingClock } from '#tests/support/review.ts'
import { startPostServices } from '#tests/support/stand-ins/post-services.ts'
import { stories } from '#tests/support/story.ts'
import { testApp } from '#tests/support/test-app.ts'

const clock = movingClock()
let says: object | null = {}
const assistant = standInAssistant(() => {
  if (says) return assistantSays(says)
  const fault = new SourceError('busy', 'Grok asks us to wait (HTTP 429).')
  throw new AssistantError(fault, assistantSays().use)
})

/** A site with its own stand-in for posts. */
async function reading({ key = true, assisted = false }) {
  const services = await startPostServices({ key })
  const posts = postSources(services.settings)
  const world = await testApp({ clock, ports: { posts, assistant: assisted ? assistant : null } })
  const close = async (): Promise<void> => {
    await world[Symbol.asyncDispose]()
    await services[Symbol.asyncDispose]()
  }
  return { services, world, [Symbol.asyncDispose]: close }
}
const sites = {
  'with-key': onceForFile(() => reading({})),
  'without-key': onceForFile(() => reading({ key: false })),
  'with-assistant': onceForFile(() => reading({ assisted: true })),
}
let current: keyof typeof sites = 'with-key'
const services = () => sites[current]().services
const world = () => sites[current]().world

async function begin(name: keyof typeof sites = 'with-key'): Promise<void> {
  current = name
  for (const known of [services().posts, services().faults]) known.clear()
  services().calls.length = 0
  await emptied(world())
}

stories(world, clock, begin).replay('posts', {
  site: (name) => begin(name as keyof typeof sites),
  post: (words) => {
    const [id = '', post = ''] = words.split(/ (.*)/)
    services().posts.set(id, JSON.parse(post) as { text: string })
  },
  /** Faults of services; none mends all. */
  faults: (words) => {
    services().faults.clear()
    for (const [, service = '', fault = ''] of words.matchAll(/(\w+)=([\w ]+)/g))
      services().faults.set(service as 'x', fault as 'down')
  },
  busy: (headers) => {
    services().busyHeaders = JSON.parse(headers) as Record<string, string>
  },
  asked: () =>
    services()
      .calls.splice(0)
      .map(({ service }) => service),
  drain: () => world().jobs.drain(),
  assistant: (words) => {
    says = words === 'fails' ? null : (JSON.parse(words || '{}') as object)
  },
  'assistant-saw': () => assistant.seen.splice(0),
})
