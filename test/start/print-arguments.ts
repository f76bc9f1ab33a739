// Run by run.test.ts: prints how it was started, and exits with the status that it is given.
const [text, code] = process.argv.slice(2)
console.log(JSON.stringify({ text, node: process.version, npm: process.env.ROOKERY_PARENT_PID ?? null }))
if (code === 'wait') {
  const timer = setInterval(() => {}, 1000)
  let times = 0
  const end = (): void => {
    times++
    setTimeout(() => {
      console.log(`signals: ${times}`)
      clearInterval(timer)
      process.exit(7)
    }, 100)
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  console.log('waiting')
} else process.exitCode = Number(code)
