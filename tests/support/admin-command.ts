import { addAdmins } from '#server/admins/admins.commands.ts'
import { type Clock } from '#server/kit/time.ts'
import { Command } from 'commander'
import { type TestApp } from './test-app.ts'

/**
 * Runs `admin …` of the command line on a test's database.
 *
 * @param typed the password, where one is asked for
 * @returns the lines it printed
 */
export async function adminCommand(
  world: Pick<TestApp, 'database'>,
  clock: Clock,
  words: readonly string[],
  typed = '',
): Promise<string[]> {
  const lines: string[] = []
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {} })
  addAdmins(program, {
    clock,
    withDb: (work) => work(world.database.db),
    print: (text) => void lines.push(text),
    readPassword: async () => typed,
  })
  await program.parseAsync(['admin', ...words], { from: 'user' })
  return lines
}
