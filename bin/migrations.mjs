import { ensureInstalled, ensureTool } from './lib/install.mjs'
import { inProject, runScript } from './lib/project.mjs'
import { runCommand } from './lib/run.mjs'

// npm run migrations: writes the migration that takes the tables from the last one to what src/server/database/schema says.
await runScript(async () => {
  const node = await ensureInstalled(console.log)
  const folder = inProject('bin', 'migrations')
  await ensureTool('drizzle-kit', folder, console.log)
  const kit = inProject('bin', 'migrations', 'node_modules', 'drizzle-kit', 'bin.cjs')
  process.exitCode = await runCommand(node, [kit, 'generate', ...process.argv.slice(2)])
})
