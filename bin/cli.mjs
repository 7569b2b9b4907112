import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { inProject, runScript } from './lib/project.mjs'
import { runCommand } from './lib/run.mjs'

// npm run cli: standard output belongs to the command, so that it can be read by programs.
await runScript(async () => {
  const node = await ensureInstalled(console.error)
  await ensureBuilt(node, console.error)
  const command = inProject('dist', 'server', 'cli.mjs')
  process.exitCode = await runCommand(node, [command, ...process.argv.slice(2)])
})
