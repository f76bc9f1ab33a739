// npm run schema: generates src/db/schema.ts from a database with all migrations, and from the OpenAPI document the
// types of the client, client/src/api/schema.d.ts.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, root } from './lib/runtime.js'

await prepare({ dev: true })
const { startTestDatabase } = await import('./lib/test-database.js')
const { openDatabase } = await import('../src/db/database.ts')
const { migrate } = await import('../src/db/migrate.ts')
const { renderSchema } = await import('./lib/schema.js')
const { renderClientTypes } = await import('./lib/client-types.js')

const server = await startTestDatabase()
try {
  const database = openDatabase({
    connection: { connectionString: server.url },
    poolSize: 1,
    sharedConnections: 1,
    onError: (error) => console.error(error),
  })
  await migrate(database)
  await database.close()
  writeFileSync(join(root, 'src/db/schema.ts'), await renderSchema(server.url))
} finally {
  await server.stop()
}

mkdirSync(join(root, 'client/src/api'), { recursive: true })
writeFileSync(join(root, 'client/src/api/schema.d.ts'), await renderClientTypes())
