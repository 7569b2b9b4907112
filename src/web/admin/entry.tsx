import '#web/api/without-eval.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { bearTranslation } from '#web/ui/bear-translation.ts'
import '#web/ui/base.css'
import { AdminApp } from './admin-app.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('the template has no #root')
bearTranslation()
createRoot(root).render(
  <StrictMode>
    <AdminApp />
  </StrictMode>,
)
