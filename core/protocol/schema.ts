/** The schema library, for plugins outside this repository: `import * as v from 'vitrine/protocol/schema'`. */
export * from 'valibot';
