import { type Board } from '#contracts/board.ts'
import { TableHead } from '#web/ui/primitives.tsx'
import css from './experts.module.css'

export function Calibration({ totals: { bins } }: { readonly totals: Board['totals'] }) {
  return (
    <table className={`${css.bars} flush`}>
      <caption className="aside-voice">
        Decided calls by their chance when made, and how many came true
      </caption>
      <TableHead names={['Chance when made', 'Came true, and what luck expects', 'Hits']} />
      <tbody>
        {bins
          .filter(({ calls }) => calls > 0)
          .map(({ from, calls, hits, expected }) => (
            <tr key={from}>
              <th scope="row">{`${String(Math.round(100 * from))}–${String(Math.round(100 * from) + 10)}%`}</th>
              <td>
                <HitsBar happened={hits / calls} expected={expected / calls} />
              </td>
              <td>{`${String(hits)} of ${String(calls)}`}</td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}

/** @param shares of the calls: those that came true, and those that luck expects to */
export function HitsBar({ happened, expected }: Readonly<Record<'happened' | 'expected', number>>) {
  const [done, luck] = [happened, expected].map((share) => `${(100 * share).toFixed(1)}%`)
  return (
    <svg
      width="100%"
      height="20"
      role="img"
      aria-label={`${String(Math.round(100 * happened))}% came true, luck expects ${String(Math.round(100 * expected))}%`}
    >
      <rect fill="var(--hairline)" width="100%" height="12" y="4" rx="2" />
      <rect fill="var(--hit)" width={done} height="12" y="4" rx="2" />
      <line stroke="var(--ink)" strokeWidth="2" x1={luck} x2={luck} y1="0" y2="20" />
    </svg>
  )
}
