import { runCommand } from './run.mjs'

// Runs between npm run dev and `node --watch`, which does not notice that npm run dev was killed.
process.exitCode = await runCommand(process.execPath, ['--watch', ...process.argv.slice(2)])
