// Preloaded by `npm start`, `npm run serve` and `npm run dev`. npm sends a signal only to the shell between npm and
// this process, and the shell ends without passing it on. So this process sends itself the signal when the shell is
// gone.

const parent = process.ppid

const check = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(check)
  process.kill(process.pid, 'SIGTERM')
}, 250)
check.unref()
