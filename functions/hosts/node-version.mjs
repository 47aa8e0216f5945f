// Older versions of Node must be able to run this file.

/** The first version that runs TypeScript directly and has every function that we call. */
const LEAST = 24

if (parseInt(process.versions.node) < LEAST) {
  process.stderr.write(
    `Node ${LEAST} or later is needed; this is ${process.versions.node}. Run "npm install", which installs it, and use the npm scripts, which run it: "npm start", "npm run build".\n`,
  )
  process.exit(1)
}
