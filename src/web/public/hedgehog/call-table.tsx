import { showDay } from '#domain/day.ts'
import { showLevel, showUsd } from '#domain/price-text.ts'
import { outcomeWord } from '#domain/judging/verdict.ts'
import { type StatedCall } from '#domain/scoring/stated-calls.ts'
import { errorText } from '#domain/scoring/year-text.ts'
import { expertPath, predictionPath } from '#web/address/addresses.ts'
import dense from '#web/ui/dense-table.module.css'

export function CallTable({
  calls,
  onPoint,
}: {
  readonly calls: readonly StatedCall[]
  readonly onPoint: (id: string | null) => void
}) {
  const pointing = ({ id }: StatedCall) => ({
    onFocus: () => onPoint(id),
    onBlur: () => onPoint(null),
  })
  return (
    <div className={dense.frame} data-tall>
      <table className={dense.table}>
        <thead>
          <tr>
            <th scope="col">Said by</th>
            <th scope="col">Made</th>
            <th scope="col">Price then</th>
            <th scope="col">Level</th>
            <th scope="col">Deadline</th>
            <th scope="col">Outcome</th>
            <th scope="col">At the deadline</th>
          </tr>
        </thead>
        <tbody>
          {calls.map((call) => (
            <tr key={call.id}>
              <th scope="row">
                <a href={expertPath(call)} dir="auto" {...pointing(call)}>
                  {call.name}
                </a>
              </th>
              <td>{showDay(call.made)}</td>
              <td>{showUsd(call.from)}</td>
              <td>
                <a href={predictionPath(call)} {...pointing(call)}>
                  {showLevel(call.level)}
                </a>
              </td>
              <td>{showDay(call.due)}</td>
              <td>{outcomeWord(call.outcome)}</td>
              <td>{atDeadline(call)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function atDeadline({ error }: StatedCall): string {
  if (error === null) return '–'
  return error === 0 ? 'right side of the price' : errorText(error)
}
