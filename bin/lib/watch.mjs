import { runCommand } from './run.mjs'

// Stands between npm run dev and `node --watch`, which would not notice that the former was killed.
process.exitCode = await runCommand(process.execPath, ['--watch', ...process.argv.slice(2)])
