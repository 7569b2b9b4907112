import { ensureBuilt } from './lib/build.mjs'
import { ensureChromium } from './lib/chromium.mjs'
import { ensureInstalled, ensureTool } from './lib/install.mjs'
import { inProject, runScript } from './lib/project.mjs'
import { runCommand } from './lib/run.mjs'

// npm run bench: measures the built site, two benchmarks in Chromium. `npm run bench -- judge web` runs only those two.
await runScript(async () => {
  const names = process.argv.slice(2)
  const node = await ensureInstalled(console.log, { tests: true })
  await ensureBuilt(node, console.log)
  if (names.length === 0 || names.includes('web')) {
    await ensureTool('Lighthouse', inProject('bench', 'lighthouse'), console.log)
  }
  process.env.CHROMIUM_PATH = await ensureChromium(node, console.log)
  process.exitCode = await runCommand(node, [inProject('bench', 'all.ts'), ...names])
})
