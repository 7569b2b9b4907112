import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { inProject, runScript } from './lib/project.mjs'
import { runCommand } from './lib/run.mjs'

// npm run golden -- take <folder>: stores the public responses of the built site. `compare <folder>` prints the differences.
await runScript(async () => {
  const node = await ensureInstalled(console.log)
  await ensureBuilt(node, console.log)
  const program = inProject('tests', 'golden', 'golden.ts')
  process.exitCode = await runCommand(node, [program, ...process.argv.slice(2)])
})
