// Loaded first into what `npm start`, `npm run serve` and `npm run dev` run. npm passes a signal only to the shell between
// it and us, which ends without passing it on; so the signal is sent here when the shell is gone.

const parent = process.ppid

const check = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(check)
  process.kill(process.pid, 'SIGTERM')
}, 250)
check.unref()
