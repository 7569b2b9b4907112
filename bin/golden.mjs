import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { inProject, runScript } from './lib/project.mjs'
import { runCommand } from './lib/run.mjs'

// npm run golden -- take <folder>: what the built site answers to everyone. `compare <folder>` takes again and shows what differs.
await runScript(async () => {
  const node = await ensureInstalled(console.log)
  await ensureBuilt(node, console.log)
  const program = inProject('tests', 'golden', 'golden.ts')
  process.exitCode = await runCommand(node, [program, ...process.argv.slice(2)])
})
