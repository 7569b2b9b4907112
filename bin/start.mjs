import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { runScript } from './lib/project.mjs'
import { onStopSignal, runServer } from './lib/run.mjs'

// npm start: installs and builds what changed, then runs the site.
await runScript(async () => {
  const node = await ensureInstalled(console.log)
  await ensureBuilt(node, console.log)
  const site = runServer(node, ['dist/server/main.mjs'], {
    NODE_ENV: 'production',
    ...process.env,
  })
  onStopSignal(site.stop)
  process.exitCode = await site.ended
})
