import { useEffect, useState } from 'react'

/** A value that follows another one once that has rested. @param ms how long it has to rest */
export function useRested<Value>(value: Value, ms: number): Value {
  const [rested, setRested] = useState(value)
  const key = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(JSON.parse(key) as Value), ms)
    return () => clearTimeout(timer)
  }, [key, ms])
  return rested
}
