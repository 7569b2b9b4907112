/** People and years with fewer decided calls are not compared with luck: they say too little. */
export const LEAST_CALLS = 5
