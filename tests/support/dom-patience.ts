import { configure } from '@testing-library/react'

// A story about a page ends as soon as the page shows it; a second is too little on a busy machine.
configure({ asyncUtilTimeout: 60_000 })
