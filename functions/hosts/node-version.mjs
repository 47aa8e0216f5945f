// Older versions run this too, so it uses nothing that they lack.

/** The version that runs TypeScript as it is and has all that we call. */
const LEAST = 24

if (parseInt(process.versions.node) < LEAST) {
  process.stderr.write(
    `Node ${LEAST} or later is needed; this is ${process.versions.node}. Run "npm install", which brings it, and then this through npm, which finds it: "npm start", "npm run build".\n`,
  )
  process.exit(1)
}
