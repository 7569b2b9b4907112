import { ensureInstalled, ensureTool } from './lib/install.mjs'
import { inProject, runScript } from './lib/project.mjs'
import { runCommand } from './lib/run.mjs'

// npm run migrations: writes the migration from the last one to the current src/server/database/schema.
await runScript(async () => {
  const node = await ensureInstalled(console.log)
  const folder = inProject('bin', 'migrations')
  await ensureTool('drizzle-kit', folder, console.log)
  const kit = inProject('bin', 'migrations', 'node_modules', 'drizzle-kit', 'bin.cjs')
  process.exitCode = await runCommand(node, [kit, 'generate', ...process.argv.slice(2)])
})
