import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { inProject, runScript } from './lib/project.mjs'
import { runCommand } from './lib/run.mjs'

// npm run cli: progress goes to stderr, so that programs can read the command's output.
await runScript(async () => {
  const node = await ensureInstalled(console.error)
  await ensureBuilt(node, console.error)
  const command = inProject('dist', 'server', 'cli.mjs')
  process.exitCode = await runCommand(node, [command, ...process.argv.slice(2)])
})
