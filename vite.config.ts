import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = 'http://127.0.0.1:3001'

export default defineConfig({
  plugins: [react()],
  server: {
    proxy: {
      '/api': server,
      '/prices': server,
      '/live-price': server,
      '/ws': { target: server, ws: true },
    },
  },
  build: { outDir: 'dist/web', manifest: true },
})
