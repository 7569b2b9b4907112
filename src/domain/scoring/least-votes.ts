/** People with fewer votes are not ranked, and have no p: too few to say anything. */
export const LEAST_VOTES = 5
