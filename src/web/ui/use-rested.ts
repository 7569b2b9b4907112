import { useEffect, useState } from 'react'

/** A value that follows another once that has not changed for a while. @param ms how long */
export function useRested<Value>(value: Value, ms: number): Value {
  const [rested, setRested] = useState(value)
  const key = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(JSON.parse(key) as Value), ms)
    return () => clearTimeout(timer)
  }, [key, ms])
  return rested
}
