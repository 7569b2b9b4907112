import { ensureInstalled } from './lib/install.mjs'
import { inProject, runScript } from './lib/project.mjs'
import { onStopSignal, runServer } from './lib/run.mjs'

/** The server port that vite.config.ts proxies to. */
const SERVER_PORT = '3001'
const PAGE_PORT = '5173'

// npm run dev: the server without a build, restarted after every change, and pages through Vite on port 5173.
await runScript(async () => {
  const node = await ensureInstalled(console.log, { tests: true })
  const { unpackedFonts } = await import('./lib/fonts.mjs')
  await unpackedFonts()
  const server = runServer(node, ['bin/lib/watch.mjs', 'src/server/main.ts'], {
    NODE_ENV: 'development',
    PORT: SERVER_PORT,
    ...process.env,
  })
  const vite = inProject('node_modules', 'vite', 'bin', 'vite.js')
  const page = runServer(node, [vite, '--port', PAGE_PORT, '--strictPort'])
  const both = [server, page]
  onStopSignal((signal) => {
    for (const { stop } of both) stop(signal)
  })
  const first = await Promise.race(both.map(({ ended }) => ended))
  for (const { stop } of both) stop()
  await Promise.all(both.map(({ ended }) => ended))
  process.exitCode = first
})
