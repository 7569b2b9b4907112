import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { runScript } from './lib/project.mjs'

// npm run build: installs and builds what changed, without starting anything.
await runScript(async () => {
  await ensureBuilt(await ensureInstalled(console.log), console.log)
})
