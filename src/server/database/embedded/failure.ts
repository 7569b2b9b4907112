/** The embedded database cannot be used; the message is a sentence for the person who runs the site. */
export class EmbeddedFailure extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'EmbeddedFailure'
  }
}

/** Log of the embedded database; a pino logger fits. */
export type StoreLog = {
  info(text: string): void
  warn(text: string): void
  error(text: string): void
}

/** The error code of a system call, such as `ENOENT`; empty without one. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full.',
  EDQUOT: 'The disk quota of this user is used up.',
  EACCES: 'This user may not do that; check who owns the folder and its parents.',
  EPERM: 'This user may not do that; check who owns the folder and its parents.',
  EROFS: 'The disk is mounted read-only.',
  EMFILE: 'Too many files are open; raise the limit (ulimit -n).',
}

/** Describes a failed system call; `doing` completes “Could not …”. */
export function failureOf(error: unknown, doing: string): EmbeddedFailure {
  if (error instanceof EmbeddedFailure) return error
  const text = error instanceof Error ? error.message : String(error)
  return new EmbeddedFailure(`Could not ${doing}. ${REASONS[codeOf(error)] ?? text}`, error)
}

const KNOWN_TROUBLE: readonly { readonly pattern: RegExp; readonly advice: string }[] = [
  { pattern: /No space left on device|Check free disk space/, advice: 'The disk is full.' },
  { pattern: /Disk quota exceeded/, advice: 'The disk quota of this user is used up.' },
  { pattern: /Read-only file system/, advice: 'The disk is mounted read-only.' },
  {
    pattern: /could not (?:create|resize|open) shared memory/,
    advice:
      'The system gives too little shared memory; in a container raise it, for instance with --shm-size=256m.',
  },
  {
    pattern: /has (?:wrong ownership|invalid permissions)/,
    advice: 'Start the site as the user who owns the data folder, or give the folder to this user.',
  },
  {
    pattern: /invalid checkpoint record|could not locate a valid checkpoint/,
    advice: 'The data is damaged; restore a backup into an empty folder.',
  },
]

/** Describes a failed PostgreSQL program with its error output. @param output all of its log */
export function failureOfPostgres(doing: string, output: string): EmbeddedFailure {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const telling = lines.filter((line) => /\b(?:ERROR|FATAL|PANIC|HINT|error)\b:/.test(line))
  const advice = KNOWN_TROUBLE.find(({ pattern }) => pattern.test(output))?.advice
  const report = (telling.length > 0 ? telling : lines).slice(-8).join('\n  ')
  return new EmbeddedFailure(
    [
      `Could not ${doing}.${advice ? ` ${advice}` : ''}`,
      report && `PostgreSQL reported:\n  ${report}`,
    ]
      .filter(Boolean)
      .join(' '),
  )
}
